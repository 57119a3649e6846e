/** What becomes of plants, webhooks and cursors, decided without a store: rows of what is there, what is asked, and what follows. */
import { describe, expect, test } from 'bun:test';
import { type Delivery, testsPendingMax } from '../../src/domain/delivery.ts';
import type { ErrorCode } from '../../src/domain/error.ts';
import { eventIdOf, expectNothingMissing, expectPlace, placeOf, type Sequenced } from '../../src/domain/event.ts';
import {
  applyCreate,
  applyDelete,
  applyImport,
  applyUpdate,
  type NewPlant,
  type PlantPatch,
  type PlantRecord,
  repeatCreate,
  versionOf,
} from '../../src/domain/plant.ts';
import { rotateSecrets, type WebhookRecord, webhooksMax } from '../../src/domain/webhook.ts';
import {
  expectRoomForTest,
  expectRoomForWebhook,
  expectWebhook,
  requestAgain,
} from '../../src/domain/webhook-change.ts';

const now = new Date('2026-05-02T00:00:00.000Z');
const at = now.toISOString();
const earlier = '2026-05-01T00:00:00.000Z';
const present: PlantRecord = { id: 1n, name: 'n', tag: 't', createdAt: earlier, updatedAt: earlier };

/** The code of the refusal, or what was decided. */
const decide = <Result>(decision: () => Result): Result | ErrorCode => {
  try {
    return decision();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code as ErrorCode;
    throw error;
  }
};

describe('a plant', () => {
  test('a plant is created as it was sent, at the time of its creation', () => {
    expect(applyCreate({ id: 1n, name: 'n' }, now)).toEqual({
      record: { id: 1n, name: 'n', createdAt: at, updatedAt: at },
      event: { type: 'plant.created', timestamp: at, id: 1n, name: 'n' },
    });
  });

  test.each<[string, PlantRecord | undefined, NewPlant, PlantRecord | ErrorCode]>([
    ['the same plant again is the one that is there', present, { id: 1n, name: 'n', tag: 't' }, present],
    ['another name is another plant', present, { id: 1n, name: 'm', tag: 't' }, 'id_taken'],
    ['no tag is another plant', present, { id: 1n, name: 'n' }, 'id_taken'],
    ['one that has gone meanwhile is refused', undefined, { id: 1n, name: 'n' }, 'id_taken'],
  ])('a creation whose id is taken: %s', (_what, there, plant, expected) => {
    expect(decide(() => repeatCreate(there, plant))).toEqual(expected);
  });

  const changed = { ...present, name: 'm', updatedAt: at };
  const { tag: _, ...untagged } = { ...present, updatedAt: at };
  const mine = [versionOf(present)];
  test.each<[string, PlantRecord | undefined, PlantPatch, string[] | undefined, object | ErrorCode]>([
    [
      'a name',
      present,
      { name: 'm' },
      undefined,
      { record: changed, event: { type: 'plant.updated', timestamp: at, id: 1n, name: 'm', tag: 't' } },
    ],
    [
      'no tag',
      present,
      { tag: null },
      mine,
      { record: untagged, event: { type: 'plant.updated', timestamp: at, id: 1n, name: 'n' } },
    ],
    ['nothing', present, {}, undefined, { record: present }],
    ['what it has', present, { name: 'n', tag: 't' }, mine, { record: present }],
    ['an older version', present, { name: 'm' }, ['0123456789abcdef'], 'precondition_failed'],
    ['no version at all', present, { name: 'm' }, [], 'precondition_failed'],
    ['no plant to change', undefined, { name: 'm' }, undefined, 'not_found'],
    ['a version and no plant to change', undefined, {}, mine, 'not_found'],
  ])('an update of a plant with %s returns a record or is refused', (_what, there, patch, versions, expected) => {
    expect<object | ErrorCode>(decide(() => applyUpdate(there, patch, versions, now))).toEqual(expected);
  });

  test.each<[string, PlantRecord | undefined, string[] | undefined, object | ErrorCode]>([
    ['as it is', present, undefined, { type: 'plant.deleted', timestamp: at, id: 1n }],
    ['in its version', present, mine, { type: 'plant.deleted', timestamp: at, id: 1n }],
    ['in another version', present, ['0123456789abcdef'], 'precondition_failed'],
    ['that is not there', undefined, undefined, 'not_found'],
  ])('the deletion of a plant %s returns an event or is refused', (_what, there, versions, expected) => {
    expect<object | ErrorCode>(decide(() => applyDelete(there, versions, now))).toEqual(expected);
  });

  test.each<[string, NewPlant, 'replace' | 'leave', object]>([
    ['the same', { id: 1n, name: 'n', tag: 't' }, 'replace', { outcome: 'unchanged' }],
    ['another, left', { id: 1n, name: 'm' }, 'leave', { outcome: 'taken' }],
    [
      'another, replaced',
      { id: 1n, name: 'm' },
      'replace',
      {
        outcome: 'replaced',
        record: { id: 1n, name: 'm', createdAt: earlier, updatedAt: at },
        event: { type: 'plant.updated', timestamp: at, id: 1n, name: 'm' },
      },
    ],
  ])('an import over a plant with the same id has the expected outcome: %s', (_what, plant, onTaken, expected) => {
    expect(applyImport(present, plant, onTaken, now)).toEqual(expected as ReturnType<typeof applyImport>);
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

  test('a webhook may be added up to the limit', () => {
    expect(decide(() => expectRoomForWebhook(webhooksMax - 1))).toBeUndefined();
    expect(decide(() => expectRoomForWebhook(webhooksMax))).toBe('too_many_webhooks');
  });

  test('a rotated webhook has a new secret, and the previous one for a day', () => {
    expect(rotateSecrets(webhook.secrets, 's2', now)).toEqual([
      { text: 's2' },
      { text: 's1', until: '2026-05-03T00:00:00.000Z' },
    ]);
  });

  test('a change to a webhook that was deleted is refused', () => {
    expect(decide(() => expectWebhook(webhook))).toBe(webhook);
    expect(decide(() => expectWebhook(undefined))).toBe('not_found');
  });

  test('a webhook may be tested up to the limit of pending tests', () => {
    expect(decide(() => expectRoomForTest(testsPendingMax - 1))).toBeUndefined();
    expect(decide(() => expectRoomForTest(testsPendingMax))).toBe('too_many_tests');
  });

  const asked = { attemptsInRound: 0, nextAttemptAt: at, requestedAt: at };
  const many = testsPendingMax;
  test.each<[string, WebhookRecord | undefined, Delivery | undefined, string, number, object | ErrorCode]>([
    ['an event', webhook, of(event7), eventIdOf(event7), many, of(event7, asked)],
    ['a test', webhook, of(test7), eventIdOf(test7), many - 1, of(test7, asked)],
    ['a settled test too many', webhook, of(test7), eventIdOf(test7), many, 'too_many_tests'],
    ['a pending test', webhook, of(test7, { nextAttemptAt: earlier }), eventIdOf(test7), many, of(test7, asked)],
    ['an event with another id', webhook, of(event7), 'evt_7_0123456789abcdef', 0, 'not_found'],
    ['nothing', webhook, undefined, eventIdOf(event7), 0, 'not_found'],
    ['a webhook that is gone', undefined, of(event7), eventIdOf(event7), 0, 'not_found'],
  ])(
    'a redelivery of %s returns the expected delivery or is refused',
    (_what, there, delivery, id, pending, expected) => {
      const answer = decide(() => requestAgain(there, delivery, { id, pendingTests: () => pending, now }));
      expect<object | ErrorCode>(answer).toEqual(expected);
    },
  );
});

describe('a cursor', () => {
  const event: Sequenced = { type: 'plant.deleted', timestamp: earlier, sequence: 7n, id: 1n };
  const place = placeOf(event);
  const id = eventIdOf(event);
  test.each<[string, string, ReturnType<Parameters<typeof expectPlace>[1]>, object | ErrorCode]>([
    ['of an event that is there', id, { present: event, isGone: false }, place],
    ['of an event that is gone', id, { present: undefined, isGone: true }, place],
    ['of no event', id, { present: undefined, isGone: false }, 'invalid_cursor'],
    ['of another event', 'evt_7_0123456789abcdef', { present: event, isGone: false }, 'invalid_cursor'],
    ['of no form', 'x', { present: undefined, isGone: true }, 'invalid_cursor'],
  ])('a cursor %s returns a place or is refused', (_what, cursor, found, expected) => {
    const lookedUp: object[] = [];
    const lookUp = (at: object) => {
      lookedUp.push(at);
      return found;
    };
    expect<object | ErrorCode>(decide(() => expectPlace(cursor, lookUp))).toEqual(expected);
    expect(lookedUp).toEqual(cursor === 'x' ? [] : [place]);
  });

  test.each<[bigint | undefined, bigint | ErrorCode]>([
    [undefined, 7n],
    [1n, 7n],
    [8n, 7n],
    [9n, 'cursor_expired'],
  ])('a cursor at 7 returns a place or is refused when the log begins with %p', (first, expected) => {
    expect<bigint | ErrorCode>(decide(() => expectNothingMissing(place, first))).toBe(expected);
  });
});
