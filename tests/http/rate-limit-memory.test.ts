/** What the rate limits keep of 100,000 tokens, and of any number of addresses. */
import { expect, test } from 'bun:test';
import { AppError, tokenInvalid } from '../../src/domain/error.ts';
import { bucketsMax, createRateLimits } from '../../src/http/rate-limit.ts';

const request = new Request('http://localhost/');
const failure = new AppError(tokenInvalid);

const isRefused = (count: () => void): boolean => {
  try {
    count();
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return true;
    throw error;
  }
};

const createLimits = () => {
  let address = '';
  const limits = createRateLimits({
    rate: { count: 1, windowMs: 86_400_000 },
    trustedProxies: [],
    peerOf: () => address,
    clock: { nowMs: () => 0 },
  });
  const fail = (from: string): boolean => {
    address = from;
    return limits.countFailure(request, failure) !== undefined;
  };
  return { limits, fail };
};

const usedMiB = (): number => {
  Bun.gc(true);
  return process.memoryUsage().heapUsed / 1024 ** 2;
};

test('100,000 tokens are limited at once, in less than 30 MiB', () => {
  const { limits } = createLimits();
  const before = usedMiB();
  const nameOf = (index: number): string => `tok_${index}`.padEnd(14, 'x');
  for (const expected of [false, true])
    for (let index = 0; index < bucketsMax; index += 1)
      if (isRefused(() => limits.countRequest(request, nameOf(index))) !== expected) throw new Error(nameOf(index));
  expect(bucketsMax).toBe(100_000);
  expect(usedMiB() - before).toBeLessThan(30);
  expect(isRefused(() => limits.countRequest(request, nameOf(0)))).toBe(true);
});

test('failures from any number of addresses take no more memory than from the most that are kept', () => {
  const { fail } = createLimits();
  const before = usedMiB();
  const nameOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 0xff}.${index & 0xff}`;
  for (let index = 0; index < 3 * bucketsMax; index += 1) if (fail(nameOf(index))) throw new Error(nameOf(index));
  expect(usedMiB() - before).toBeLessThan(60);
  expect(fail(nameOf(2 * bucketsMax))).toBe(true);
  expect(fail('192.0.2.1')).toBe(false);
});
