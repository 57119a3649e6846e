/** The memory of the rate limits, for 100,000 tokens and for any number of addresses. */
import { expect, test } from 'bun:test';
import { AppError, tokenInvalid } from '../../src/base/app-error.ts';
import { bucketsMax, createRateLimits } from '../../src/http/rate-limit.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

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
    clientOf: () => address,
    clock: { nowMs: () => 0 },
    metrics: createMetrics(),
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

test('the limits of 100,000 tokens take less than 30 MiB', () => {
  const { limits } = createLimits();
  const before = usedMiB();
  const nameOf = (index: number): string => `tok_${index}`.padEnd(14, 'x');
  for (let index = 0; index < bucketsMax; index += 1) limits.countRequest(request, nameOf(index));
  expect(usedMiB() - before).toBeLessThan(30);
  expect(bucketsMax).toBe(100_000);
  for (let index = 0; index < bucketsMax; index += 999)
    expect(isRefused(() => limits.countRequest(request, nameOf(index)))).toBe(true);
});

test('failures from 400,000 addresses take no more memory than from 200,000, and the last 100,000 are limited', () => {
  const { fail } = createLimits();
  const nameOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 0xff}.${index & 0xff}`;
  const failOnce = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) if (fail(nameOf(index))) throw new Error(nameOf(index));
  };
  failOnce(0, 2 * bucketsMax);
  const before = usedMiB();
  failOnce(2 * bucketsMax, 4 * bucketsMax);
  expect(usedMiB() - before).toBeLessThan(10);
  for (let index = 3 * bucketsMax; index < 4 * bucketsMax; index += 999) expect(fail(nameOf(index))).toBe(true);
});
