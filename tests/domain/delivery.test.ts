/** The rules of deliveries and webhooks, without a store and without a clock. */
import { describe, expect, test } from 'bun:test';
import { durationMsOf } from '../../src/base/time.ts';
import {
  type Attempt,
  afterAttempt,
  attemptsKeptMax,
  attemptTimeoutMs,
  type Delivery,
  delayMsMax,
  isSuccess,
  jitterMax,
  keepRequest,
  request,
  retryAfterMsMax,
  retryDelaysSeconds,
  stateOf,
} from '../../src/domain/delivery.ts';
import { compareNewest, eventIdOf, placeIn, placeOf, type Sequenced } from '../../src/domain/event.ts';
import { rotateSecrets, secretsInForce, secretsMax, type WebhookRecord } from '../../src/domain/webhook.ts';
import { type Health, healthAfter } from '../../src/domain/webhook-change.ts';
import { answerBytesMax } from '../../src/webhooks/answer.ts';
import { toMessage } from '../../src/webhooks/message.ts';

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
  ])('whether an attempt with status %d is a success is %p', (status, expected) => {
    expect(isSuccess(attempt(1, status))).toBe(expected);
  });

  test('the retry schedule and its limits are those of the contract', () => {
    expect(retryDelaysSeconds).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
    expect(attemptTimeoutMs).toBe(15_000);
    expect(answerBytesMax).toBe(16_384);
  });

  test('a round has ten attempts, whatever came before a redelivery was requested', () => {
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

  test('a delivery keeps only its latest attempts', () => {
    const attempts = Array.from({ length: attemptsKeptMax }, (_, day) => attempt(day + 1, 500));
    const delivery = afterAttempt({ ...fresh, attempts }, { attempt: attempt(31, 204) }, now);
    expect(delivery.attempts).toEqual([...attempts.slice(1), attempt(31, 204)]);
  });

  test('every delay is shorter than what only a wrong clock could have written', () => {
    const longest = Math.max(...retryDelaysSeconds) * 1000 * (1 + jitterMax);
    expect(Math.max(longest, retryAfterMsMax)).toBeLessThan(delayMsMax);
  });
});

test('each request for a delivery has a time of its own, even in the same moment, and begins a new round', () => {
  const first = request({ ...fresh, attemptsInRound: 9 }, new Date(now.nowMs));
  const second = request(first, new Date(now.nowMs));
  const third = request(second, new Date(now.nowMs + 1000));
  const times = [first, second, third].map(({ requestedAt = '' }) => requestedAt);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBe(3);
  for (const asked of [first, second, third]) {
    expect(asked.nextAttemptAt).toBe(asked.requestedAt ?? '');
    expect(asked.attemptsInRound).toBe(0);
  }
  expect(afterAttempt(first, { attempt: attempt(1, 500) }, now).requestedAt).toBeUndefined();
});

test('a request that came during an attempt is kept, and one that led to it is not', () => {
  const requested = request(fresh, new Date(now.nowMs));
  const after = { ...fresh, attempts: [attempt(1, 204)], attemptsInRound: 1 };
  expect(keepRequest(fresh, fresh, after)).toEqual(after);
  expect(keepRequest(undefined, fresh, after)).toEqual(after);
  expect(keepRequest(requested, requested, after)).toEqual(after);
  const { nextAttemptAt, requestedAt } = requested;
  expect(keepRequest(requested, fresh, after)).toEqual({
    ...after,
    attemptsInRound: 0,
    nextAttemptAt,
    requestedAt,
  } as Delivery);
  const again = request(requested, new Date(now.nowMs));
  expect(keepRequest(again, requested, after).requestedAt).toBe(again.requestedAt ?? '');
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
    ['410', healthy, failed([2], [410]), { failingSince: at(2), disabled: { at: at(2), reason: 'gone' } }],
    ['one given up', healthy, failed([2, 3, 4]), { failingSince: at(4) }],
    [
      'one given up, with nothing else through',
      { failingSince: at(2) },
      failed([2, 3, 4]),
      { failingSince: at(2), disabled: { at: at(4), reason: 'failing' } },
    ],
    [
      'one given up, with another through meanwhile',
      { failingSince: at(3) },
      failed([2, 3, 4]),
      { failingSince: at(3) },
    ],
    [
      'one given up in a second round that began later',
      { failingSince: at(3) },
      { ...failed([1, 3, 4]), attemptsInRound: 2 },
      { failingSince: at(3), disabled: { at: at(4), reason: 'failing' } },
    ],
    [
      'a failure once it is disabled',
      { failingSince: at(1), disabled: { at: at(1), reason: 'gone' } },
      failed([2]),
      { failingSince: at(1), disabled: { at: at(1), reason: 'gone' } },
    ],
    [
      'a late success once it is disabled',
      { failingSince: at(1), disabled: { at: at(1), reason: 'gone' } },
      failed([2], [200]),
      { disabled: { at: at(1), reason: 'gone' } },
    ],
  ])('the webhook has the expected health after %s', (_what, before, delivery, expected) => {
    expect(healthAfter(before, delivery)).toEqual(expected);
  });
});

describe('secrets', () => {
  const start = new Date(at(1));
  const hours = (count: number): Date => new Date(start.getTime() + count * 3_600_000);
  const withSecrets = (secrets: WebhookRecord['secrets']): WebhookRecord => ({
    id: 'wh_1',
    url: 'https://example.com/',
    events: [],
    createdAt: at(1),
    position: 0n,
    secrets,
  });

  test('a secret signs for 24 hours after it was rotated out, and no longer', () => {
    const secrets = rotateSecrets([{ text: 'a' }], 'b', start);
    expect(secretsInForce(withSecrets(secrets), hours(23.99))).toEqual(['b', 'a']);
    expect(secretsInForce(withSecrets(secrets), hours(24))).toEqual(['b']);
  });

  test('an earlier secret is not kept longer by another rotation, and is dropped when its time is over', () => {
    const once = rotateSecrets([{ text: 'a' }], 'b', start);
    const twice = rotateSecrets(once, 'c', hours(12));
    expect(secretsInForce(withSecrets(twice), hours(23))).toEqual(['c', 'b', 'a']);
    expect(secretsInForce(withSecrets(twice), hours(25))).toEqual(['c', 'b']);
    expect(rotateSecrets(twice, 'd', hours(25)).map(({ text }) => text)).toEqual(['d', 'c', 'b']);
  });

  test('a webhook keeps at most four secrets', () => {
    let secrets: WebhookRecord['secrets'] = [{ text: '0' }];
    for (let count = 1; count <= 9; count += 1) secrets = rotateSecrets(secrets, `${count}`, start);
    expect(secretsMax).toBe(4);
    expect(secrets.map(({ text }) => text)).toEqual(['9', '8', '7', '6']);
  });

  test('a message has its headers, and its time is the second that has begun', () => {
    const { headers, body } = toMessage(
      withSecrets([{ text: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }]),
      event,
      new Date(1_800_000_000_999),
    );
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'plant-store',
      'webhook-id': eventIdOf(event),
      'webhook-timestamp': '1800000000',
    });
    expect(body).toBe(`{"type":"plant.created","timestamp":"${at(1)}","id":5,"name":"n"}`);
  });
});

describe('the id of an event', () => {
  test('the id of an event contains its place, and changes with anything in the event', () => {
    const others: Sequenced[] = [
      { ...event, sequence: 8n },
      { ...event, type: 'plant.updated' },
      { ...event, timestamp: at(2) },
      { ...event, id: 6n },
      { ...event, name: 'm' },
      { ...event, tag: '' },
      { sequence: 7n, type: 'webhook.test', timestamp: at(1), number: 1n },
      { sequence: 7n, type: 'webhook.test', timestamp: at(1), number: 2n },
      { sequence: 0n, type: 'webhook.test', timestamp: at(1), number: 2n },
    ];
    const ids = [event, ...others].map(eventIdOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map(placeIn)).toEqual([event, ...others].map(placeOf));
  });

  test.each([
    '',
    'evt_1',
    'evt_1_',
    'evt_0_0123456789abcdef',
    'evt_01_0123456789abcdef',
    'evt_-1_0123456789abcdef',
    'evt_9223372036854775808_0123456789abcdef',
    'evt_1t_0123456789abcdef',
    'evt_1t0_0123456789abcdef',
    'evt_1t01_0123456789abcdef',
    'evt_1t9223372036854775808_0123456789abcdef',
    'evt_1_0123456789abcde',
    'evt_1_0123456789abcdefg',
    'xevt_1_0123456789abcdef',
  ])('%p is not the id of an event', (text) => {
    expect(placeIn(text)).toBeUndefined();
  });
});

test('places are sorted newest first, and a test comes after its event and before the next', () => {
  const place = (sequence: bigint, number: bigint) => ({ sequence, number });
  const sorted = [place(8n, 0n), place(7n, 12n), place(7n, 3n), place(7n, 0n), place(0n, 1n)];
  expect([3, 0, 4, 2, 1].flatMap((index) => sorted[index] ?? []).sort(compareNewest)).toEqual(sorted);
});

test.each([
  ['1s', 1000],
  ['1m', 60_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['36500d', 36_500 * 86_400_000],
  ['36501d', undefined],
  ['0s', undefined],
  ['01d', undefined],
  ['1', undefined],
  ['d', undefined],
  ['1w', undefined],
  ['1.5h', undefined],
  ['-1d', undefined],
  ['1d ', undefined],
])('the duration of %p in milliseconds is %p', (text, expected) => {
  expect(durationMsOf(text)).toBe(expected);
});
