/** The rules for plants, webhooks and cursors, without a store. A row has a state, a request and the result. */
import { describe, expect, test } from 'bun:test';
import type { ErrorCode } from '../../src/base/app-error.ts';
import { type Delivery, expectRoomForTestMessage, testMessagesPendingMax } from '../../src/deliveries/delivery.ts';
import { requestRedelivery } from '../../src/deliveries/health.ts';
import { eventIdOf, expectKey, expectNothingMissing, keyOf, type Sequenced } from '../../src/events/event.ts';
import { planPruning, takeOld } from '../../src/events/pruning.ts';
import { applyImport } from '../../src/plants/import.ts';
import {
  applyCreate,
  applyDelete,
  applyUpdate,
  type NewPlant,
  type PlantPatch,
  type PlantRecord,
  repeatCreate,
  versionOf,
} from '../../src/plants/plant.ts';
import {
  expectRoomForWebhook,
  expectWebhook,
  rotateSecrets,
  type WebhookRecord,
  webhooksMax,
} from '../../src/webhooks/webhook.ts';

const now = new Date('2026-05-02T00:00:00.000Z');
const at = now.toISOString();
const earlier = '2026-05-01T00:00:00.000Z';
const existing: PlantRecord = { id: 1n, name: 'n', tag: 't', createdAt: earlier, updatedAt: earlier };

/** The result of the decision, or the code of its error. */
const decide = <Result>(decision: () => Result): Result | ErrorCode => {
  try {
    return decision();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code as ErrorCode;
    throw error;
  }
};

describe('a plant', () => {
  test('a new plant has the members that were sent, and the time of its creation', () => {
    expect(applyCreate({ id: 1n, name: 'n' }, now)).toEqual({
      record: { id: 1n, name: 'n', createdAt: at, updatedAt: at },
      event: { type: 'plant.created', timestamp: at, id: 1n, name: 'n' },
    });
  });

  test.each<[string, PlantRecord | undefined, NewPlant, PlantRecord | ErrorCode]>([
    ['the same plant', existing, { id: 1n, name: 'n', tag: 't' }, existing],
    ['a plant with another name', existing, { id: 1n, name: 'm', tag: 't' }, 'id_taken'],
    ['a plant without a tag', existing, { id: 1n, name: 'n' }, 'id_taken'],
    ['a plant that was deleted meanwhile', undefined, { id: 1n, name: 'n' }, 'id_taken'],
  ])(
    'the creation of %s whose id is taken returns the existing plant or is refused',
    (_what, stored, plant, expected) => {
      expect(decide(() => repeatCreate(stored, plant))).toEqual(expected);
    },
  );

  const changed = { ...existing, name: 'm', updatedAt: at };
  const { tag: _, ...untagged } = { ...existing, updatedAt: at };
  const mine = [versionOf(existing)];
  test.each<[string, PlantRecord | undefined, PlantPatch, string[] | undefined, object | ErrorCode]>([
    [
      'a name',
      existing,
      { name: 'm' },
      undefined,
      { record: changed, event: { type: 'plant.updated', timestamp: at, id: 1n, name: 'm', tag: 't' } },
    ],
    [
      'the tag null',
      existing,
      { tag: null },
      mine,
      { record: untagged, event: { type: 'plant.updated', timestamp: at, id: 1n, name: 'n' } },
    ],
    ['no members', existing, {}, undefined, { record: existing }],
    ['the same values', existing, { name: 'n', tag: 't' }, mine, { record: existing }],
    ['an older version', existing, { name: 'm' }, ['0123456789abcdef'], 'precondition_failed'],
    ['an empty list of versions', existing, { name: 'm' }, [], 'precondition_failed'],
    ['an unknown id', undefined, { name: 'm' }, undefined, 'not_found'],
    ['a version and an unknown id', undefined, {}, mine, 'not_found'],
  ])('an update with %s returns a record or is refused', (_what, stored, patch, versions, expected) => {
    expect<object | ErrorCode>(decide(() => applyUpdate(stored, patch, versions, now))).toEqual(expected);
  });

  test.each<[string, PlantRecord | undefined, string[] | undefined, object | ErrorCode]>([
    ['in any version', existing, undefined, { type: 'plant.deleted', timestamp: at, id: 1n }],
    ['in its current version', existing, mine, { type: 'plant.deleted', timestamp: at, id: 1n }],
    ['in another version', existing, ['0123456789abcdef'], 'precondition_failed'],
    ['that does not exist', undefined, undefined, 'not_found'],
  ])('the deletion of a plant %s returns an event or is refused', (_what, stored, versions, expected) => {
    expect<object | ErrorCode>(decide(() => applyDelete(stored, versions, now))).toEqual(expected);
  });

  test.each<[string, NewPlant, 'replace' | 'leave', object]>([
    ['the same plant', { id: 1n, name: 'n', tag: 't' }, 'replace', { outcome: 'unchanged' }],
    ['another plant with `leave`', { id: 1n, name: 'm' }, 'leave', { outcome: 'taken' }],
    [
      'another plant with `replace`',
      { id: 1n, name: 'm' },
      'replace',
      {
        outcome: 'replaced',
        record: { id: 1n, name: 'm', createdAt: earlier, updatedAt: at },
        event: { type: 'plant.updated', timestamp: at, id: 1n, name: 'm' },
      },
    ],
  ])('an import of %s has the expected outcome if its id is taken', (_what, plant, onTaken, expected) => {
    expect(applyImport(existing, plant, onTaken, now)).toEqual(expected as ReturnType<typeof applyImport>);
  });
});

describe('a webhook', () => {
  const webhook: WebhookRecord = {
    id: 'wh_1',
    url: 'https://example.com/',
    events: ['plant.created'],
    createdAt: earlier,
    secrets: [{ text: 's1' }],
    position: 0n,
  };
  const test7: Sequenced = { type: 'webhook.test', timestamp: earlier, sequence: 7n, number: 1n };
  const event7: Sequenced = { type: 'plant.deleted', timestamp: earlier, sequence: 7n, id: 1n };
  const of = (event: Sequenced, rest: Partial<Delivery> = {}): Delivery => ({
    webhookId: 'wh_1',
    event,
    attempts: [],
    attemptsInRound: 3,
    ...rest,
  });

  test('webhooks are accepted up to the limit, and one more is refused', () => {
    expect(decide(() => expectRoomForWebhook(webhooksMax - 1))).toBeUndefined();
    expect(decide(() => expectRoomForWebhook(webhooksMax))).toBe('too_many_webhooks');
  });

  test('a rotated webhook has a new secret, and keeps the previous one for 24 hours', () => {
    expect(rotateSecrets(webhook.secrets, 's2', now)).toEqual([
      { text: 's2' },
      { text: 's1', until: '2026-05-03T00:00:00.000Z' },
    ]);
  });

  test('a change to a deleted webhook is refused', () => {
    expect(decide(() => expectWebhook(webhook))).toBe(webhook);
    expect(decide(() => expectWebhook(undefined))).toBe('not_found');
  });

  test('tests of a webhook are accepted up to the limit of pending tests, and one more is refused', () => {
    expect(decide(() => expectRoomForTestMessage(testMessagesPendingMax - 1))).toBeUndefined();
    expect(decide(() => expectRoomForTestMessage(testMessagesPendingMax))).toBe('too_many_tests');
  });

  const requested = { attemptsInRound: 0, nextAttemptAt: at, requestedAt: at };
  const many = testMessagesPendingMax;
  test.each<[string, WebhookRecord | undefined, Delivery | undefined, string, number, object | ErrorCode]>([
    ['an event', webhook, of(event7), eventIdOf(event7), many, of(event7, requested)],
    ['a test', webhook, of(test7), eventIdOf(test7), many - 1, of(test7, requested)],
    ['a finished test above the limit of pending tests', webhook, of(test7), eventIdOf(test7), many, 'too_many_tests'],
    ['a pending test', webhook, of(test7, { nextAttemptAt: earlier }), eventIdOf(test7), many, of(test7, requested)],
    ['an event with another id', webhook, of(event7), 'evt_7_0123456789abcdef', 0, 'not_found'],
    ['an unknown delivery', webhook, undefined, eventIdOf(event7), 0, 'not_found'],
    ['an event to a deleted webhook', undefined, of(event7), eventIdOf(event7), 0, 'not_found'],
  ])(
    'a redelivery of %s returns the expected delivery or is refused',
    (_what, stored, delivery, id, pending, expected) => {
      const result = decide(() => requestRedelivery(stored, delivery, { id, pendingTestMessages: () => pending, now }));
      expect<object | ErrorCode>(result).toEqual(expected);
    },
  );
});

describe('a cursor', () => {
  const event: Sequenced = { type: 'plant.deleted', timestamp: earlier, sequence: 7n, id: 1n };
  const key = keyOf(event);
  const id = eventIdOf(event);
  test.each<[string, string, ReturnType<Parameters<typeof expectKey>[1]>, object | ErrorCode]>([
    ['of an event in the log', id, { existing: event, isGone: false }, key],
    ['of a removed event', id, { existing: undefined, isGone: true }, key],
    ['of an event that never existed', id, { existing: undefined, isGone: false }, 'invalid_cursor'],
    [
      'of an event that is not the one with its key',
      'evt_7_0123456789abcdef',
      { existing: event, isGone: false },
      'invalid_cursor',
    ],
    ['in an invalid form', 'x', { existing: undefined, isGone: true }, 'invalid_cursor'],
  ])('a cursor %s returns a key or is refused', (_what, cursor, found, expected) => {
    const lookedUp: object[] = [];
    const lookUp = (at: object) => {
      lookedUp.push(at);
      return found;
    };
    expect<object | ErrorCode>(decide(() => expectKey(cursor, lookUp))).toEqual(expected);
    expect(lookedUp).toEqual(cursor === 'x' ? [] : [key]);
  });

  test.each<[bigint | undefined, bigint | ErrorCode]>([
    [undefined, 7n],
    [1n, 7n],
    [8n, 7n],
    [9n, 'cursor_expired'],
  ])(
    'a cursor with the sequence 7 returns its key or is refused when the first event of the log is %p',
    (first, expected) => {
      expect<bigint | ErrorCode>(decide(() => expectNothingMissing(key, first))).toBe(expected);
    },
  );
});

describe('pruning', () => {
  const rows = [1n, 2n, 3n, 4n].map((sequence) => ({ sequence, timestamp: sequence === 4n ? at : earlier }));
  const free = { newest: 9n, positions: [], pending: [] };
  const prune = (before: string, keep: Partial<Parameters<typeof planPruning>[1]> = {}, log = rows) =>
    planPruning(takeOld(log, before), { ...free, ...keep });
  const june = '2026-06-01T00:00:00.000Z';

  test.each<[string, ReturnType<typeof planPruning>, last: bigint | undefined, count: number]>([
    ['all old events without webhooks', prune(at), 3n, 3],
    ['all events if all are old', prune(june), 4n, 4],
    ['no event if none is old', prune(earlier), undefined, 0],
    ['no event of an empty log', prune(june, { newest: undefined }, []), undefined, 0],
    ['never the newest event', prune(at, { newest: 3n }), 2n, 2],
    ['no event if the first is the newest', prune(at, { newest: 1n }), undefined, 0],
    ['the events up to the position of every webhook', prune(at, { positions: [3n, 1n] }), 1n, 1],
    ['no event before a webhook has reached one', prune(at, { positions: [0n] }), undefined, 0],
    ['the events before the first pending delivery', prune(at, { pending: [4n, 3n] }), 2n, 2],
    [
      'the fewest, of the newest, the positions and the pending',
      prune(june, { positions: [3n], pending: [2n] }),
      1n,
      1,
    ],
  ])('a pruning removes %s', (_what, plan, last, count) => {
    expect(plan).toEqual({ last, count });
  });

  test('a pruning keeps an old event after one that is not old, since the clock may have been set back', () => {
    const disordered = [earlier, at, earlier].map((timestamp, index) => ({ timestamp, sequence: BigInt(index + 1) }));
    expect(prune(at, {}, disordered)).toEqual({ last: 1n, count: 1 });
  });
});
