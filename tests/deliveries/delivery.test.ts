/** The rules of deliveries and webhooks, without a store and without a clock. */
import { describe, expect, test } from 'bun:test';
import {
  type Attempt,
  afterAttempt,
  attemptsKeptMax,
  attemptTimeoutMs,
  type Delivery,
  delayMsMax,
  isSuccess,
  reconcile,
  request,
  retryAfterMsMax,
  stateOf,
} from '../../src/deliveries/delivery.ts';
import { healthAfter } from '../../src/deliveries/health.ts';
import type { Sequenced } from '../../src/events/event.ts';
import { responseBytesMax } from '../../src/sender/attempt.ts';
import { attemptsMax, jitterMax, retryDelaysSeconds, roundInWords } from '../../src/webhooks/retries.ts';
import type { Health } from '../../src/webhooks/webhook.ts';

const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();
const event: Sequenced = { sequence: 7n, type: 'plant.created', timestamp: at(1), id: 5n, name: 'n' };
const fresh: Delivery = { webhookId: 'wh_1', event, attempts: [], attemptsInRound: 0 };
const attempt = (day: number, status: number): Attempt => ({ at: at(day), durationMs: 1, status });
const now = { nowMs: Date.parse(at(2)), random: 0 };

describe('after an attempt', () => {
  test.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
    [304, false],
  ])('an attempt with status %d is a success: %p', (status, expected) => {
    expect(isSuccess(attempt(1, status))).toBe(expected);
  });

  test('the retry schedule and its limits are those of the contract', () => {
    expect(retryDelaysSeconds).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
    expect(attemptTimeoutMs).toBe(15_000);
    expect(responseBytesMax).toBe(16_384);
  });

  test('a round has ten attempts, whatever the number of attempts before a redelivery was requested', () => {
    const before = Array.from({ length: 10 }, () => attempt(1, 500));
    let delivery: Delivery = { ...fresh, attempts: before };
    for (let count = 1; count <= 10; count += 1) {
      expect(delivery.attemptsInRound).toBe(count - 1);
      delivery = afterAttempt(delivery, { attempt: attempt(2, 500) }, now);
      expect(delivery.nextAttemptAt === undefined).toBe(count === 10);
    }
    expect(delivery.attempts).toHaveLength(20);
    expect(stateOf(delivery)).toBe('failed');
  });

  test('a round that fails takes the number of attempts and the time that the document and the pages give', () => {
    const roundDays = (random: number): number => {
      let delivery = fresh;
      let nowMs = 0;
      for (let next: string | undefined = at(1); next !== undefined; next = delivery.nextAttemptAt) {
        nowMs = Date.parse(next);
        delivery = afterAttempt(delivery, { attempt: attempt(1, 500) }, { nowMs, random });
      }
      expect(delivery.attemptsInRound).toBe(attemptsMax);
      return (nowMs - Date.parse(at(1))) / 86_400_000;
    };
    expect([roundDays(0), roundDays(1)]).toEqual([expect.closeTo(3.149, 3), expect.closeTo(3.464, 3)]);
    expect(roundInWords).toBe('10 attempts over 3 to 3.5 days');
  });

  test('a delivery keeps only its latest attempts', () => {
    const attempts = Array.from({ length: attemptsKeptMax }, (_, day) => attempt(day + 1, 500));
    const delivery = afterAttempt({ ...fresh, attempts }, { attempt: attempt(31, 204) }, now);
    expect(delivery.attempts).toEqual([...attempts.slice(1), attempt(31, 204)]);
  });

  test('every retry delay is shorter than `delayMsMax`, above which a time counts as an error of the clock', () => {
    const longest = Math.max(...retryDelaysSeconds) * 1000 * (1 + jitterMax);
    expect(Math.max(longest, retryAfterMsMax)).toBeLessThan(delayMsMax);
  });
});

test('each request for a delivery has a different time, even in the same millisecond, and begins a new round', () => {
  const first = request({ ...fresh, attemptsInRound: 9 }, new Date(now.nowMs));
  const second = request(first, new Date(now.nowMs));
  const third = request(second, new Date(now.nowMs + 1000));
  const times = [first, second, third].map(({ requestedAt = '' }) => requestedAt);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBe(3);
  for (const requested of [first, second, third]) {
    expect(requested.nextAttemptAt).toBe(requested.requestedAt ?? '');
    expect(requested.attemptsInRound).toBe(0);
  }
  expect(afterAttempt(first, { attempt: attempt(1, 500) }, now).requestedAt).toBeUndefined();
});

test('a request that arrives during an attempt is kept, and the request that caused the attempt is removed', () => {
  const requested = request(fresh, new Date(now.nowMs));
  const after = { ...fresh, attempts: [attempt(1, 204)], attemptsInRound: 1 };
  expect(reconcile(fresh, { before: fresh, after }, 0n)).toEqual(after);
  expect(reconcile(undefined, { before: fresh, after }, 0n)).toEqual(after);
  expect(reconcile(requested, { before: requested, after }, 0n)).toEqual(after);
  const { nextAttemptAt, requestedAt } = requested;
  expect(reconcile(requested, { before: fresh, after }, 0n)).toEqual({
    ...after,
    attemptsInRound: 0,
    nextAttemptAt,
    requestedAt,
  } as Delivery);
  const again = request(requested, new Date(now.nowMs));
  expect(reconcile(again, { before: requested, after }, 0n)?.requestedAt).toBe(again.requestedAt ?? '');
});

test('an attempt does not restore an event that was pruned meanwhile, nor a test message that was removed', () => {
  const after = { ...fresh, attempts: [attempt(1, 204)], attemptsInRound: 1 };
  expect(reconcile(undefined, { before: fresh, after }, event.sequence)).toEqual(after);
  expect(reconcile(undefined, { before: fresh, after }, event.sequence + 1n)).toBeUndefined();
  const testMessage: Sequenced = { sequence: 1n, number: 1n, type: 'webhook.test', timestamp: at(1) };
  const change = { before: { ...fresh, event: testMessage }, after: { ...after, event: testMessage } };
  expect(reconcile(change.before, change, event.sequence)).toEqual(change.after);
  expect(reconcile(undefined, change, 0n)).toBeUndefined();
});

describe('health', () => {
  const healthy: Health = {};
  const failed = (days: number[], statuses: number[] = days.map(() => 500)): Delivery => ({
    ...fresh,
    attempts: days.map((day, index) => attempt(day, statuses[index] ?? 500)),
    attemptsInRound: days.length,
  });

  test.each<[string, Health, Delivery, Health]>([
    ['a success', { failingSince: at(1) }, failed([2], [204]), healthy],
    ['a first failure', healthy, { ...failed([2]), nextAttemptAt: at(3) }, { failingSince: at(2) }],
    ['a later failure', { failingSince: at(1) }, { ...failed([2]), nextAttemptAt: at(3) }, { failingSince: at(1) }],
    [
      'a clock that was ahead',
      { failingSince: at(9) },
      { ...failed([2]), nextAttemptAt: at(3) },
      { failingSince: at(2) },
    ],
    [
      'a response of 410',
      healthy,
      failed([2], [410]),
      { failingSince: at(2), disabled: { at: at(2), reason: 'gone' } },
    ],
    ['a failed delivery that followed a success', healthy, failed([2, 3, 4]), { failingSince: at(4) }],
    [
      'a failed delivery, if no other has succeeded since its first attempt',
      { failingSince: at(2) },
      failed([2, 3, 4]),
      { failingSince: at(2), disabled: { at: at(4), reason: 'failing' } },
    ],
    [
      'a failed delivery, if another has succeeded since its first attempt',
      { failingSince: at(3) },
      failed([2, 3, 4]),
      { failingSince: at(3) },
    ],
    [
      'a failed second round, if no delivery has succeeded since the round began',
      { failingSince: at(3) },
      { ...failed([1, 3, 4]), attemptsInRound: 2 },
      { failingSince: at(3), disabled: { at: at(4), reason: 'failing' } },
    ],
    [
      'a failure of a disabled webhook',
      { failingSince: at(1), disabled: { at: at(1), reason: 'gone' } },
      failed([2]),
      { failingSince: at(1), disabled: { at: at(1), reason: 'gone' } },
    ],
    [
      'a late success of a disabled webhook',
      { failingSince: at(1), disabled: { at: at(1), reason: 'gone' } },
      failed([2], [200]),
      { disabled: { at: at(1), reason: 'gone' } },
    ],
  ])('the webhook has the expected health after %s', (_what, before, delivery, expected) => {
    expect(healthAfter(before, delivery)).toEqual(expected);
  });
});
