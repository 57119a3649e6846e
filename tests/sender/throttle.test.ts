/** The limit of concurrent attempts to receivers of different speed, by a simulated clock. */
import { describe, expect, test } from 'bun:test';
import { concurrencyMax, concurrencyOfSlow, createThrottle } from '../../src/sender/throttle.ts';

/** Sends as many attempts at a time as the limit permits. Returns the limits at the ends of the attempts. */
const send = (
  count: number,
  durationMsOf: (inFlight: number) => number,
  statusOf: (nowMs: number) => number = () => 204,
) => {
  const throttle = createThrottle();
  const inFlight: { readonly startedAtMs: number; readonly endsAtMs: number }[] = [];
  const limits: number[] = [];
  let nowMs = Date.parse('2026-01-01T00:00:00.000Z');
  while (limits.length < count) {
    while (inFlight.length < throttle.limit())
      inFlight.push({ startedAtMs: nowMs, endsAtMs: nowMs + durationMsOf(inFlight.length + 1) });
    inFlight.sort((one, other) => one.endsAtMs - other.endsAtMs);
    const ended = inFlight.shift();
    if (!ended) break;
    nowMs = ended.endsAtMs;
    const durationMs = Math.round(nowMs - ended.startedAtMs);
    throttle.adjust({ attempt: { at: '', durationMs, status: statusOf(nowMs) } }, nowMs);
    limits.push(throttle.limit());
  }
  return limits;
};

const average = (limits: readonly number[]): number => limits.reduce((sum, limit) => sum + limit, 0) / limits.length;

describe('the limit of concurrent attempts', () => {
  test('rises by one with each success of a quick receiver, to the maximum', () => {
    const limits = send(200, () => 2);
    expect(limits.slice(0, 4)).toEqual([2, 3, 4, 5]);
    expect(limits.slice(100)).toEqual(Array(100).fill(concurrencyMax));
  });

  test.each([
    ['200 ms', () => 200, 16],
    ['two seconds', () => 2000, concurrencyOfSlow],
    ['15 ms of work for each message, one after the other', (inFlight: number) => 15 * inFlight, 16],
  ])('of a receiver that takes %s is at most that of before', (_, durationMs, before) => {
    const limits = send(2000, durationMs).slice(1000);
    expect(average(limits)).toBeLessThanOrEqual(before);
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(concurrencyOfSlow);
  });

  test('falls when a quick receiver becomes slow, and rises again', () => {
    let sent = 0;
    const limits = send(4000, () => {
      sent += 1;
      return sent > 500 && sent < 1500 ? 1000 : 2;
    });
    expect(limits[490]).toBe(concurrencyMax);
    expect(average(limits.slice(900, 1400))).toBeLessThan(8);
    expect(limits.at(-1)).toBe(concurrencyMax);
  });

  test('is halved by each failure, to one', () => {
    let ended = 0;
    const statusOf = (): number => {
      ended += 1;
      return ended > 100 ? 500 : 204;
    };
    expect(send(107, () => 2, statusOf).slice(99)).toEqual([64, 32, 16, 8, 4, 2, 1, 1]);
  });
});
