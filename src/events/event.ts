/**
 * The log of changes to plants. An event is written with its change in one transaction, and never altered. Its id is also
 * the cursor for the events after it, and the `webhook-id` of its messages. The id includes a hash of the content, so that two histories,
 * such as those before and after a restored backup, never use the same id for two events.
 */
import { hash } from 'node:crypto';
import { AppError, expiredCursor, foreignCursor } from '../base/app-error.ts';
import { int64FromCanonical, int64Max, int64ToJson } from '../base/int64.ts';
import { isOneOf } from '../base/text.ts';
import { newPlantToJson, type PlantEvent } from '../plants/plant.ts';

export const plantEventTypes = [
  'plant.created',
  'plant.updated',
  'plant.deleted',
  'plant.picture.updated',
  'plant.picture.deleted',
] as const;
export type PlantEventType = (typeof plantEventTypes)[number];
export const isPlantEventType = isOneOf(plantEventTypes);

/** A client requests it for one webhook. It is not in the log. */
export interface TestMessage {
  readonly type: 'webhook.test';
  readonly timestamp: string;
  /** Numbers the test messages, from 1. */
  readonly number: bigint;
}

export type Event = PlantEvent | TestMessage;

/** An event, and the `traceparent` of the request that caused it (W3C Trace Context), if any. Payloads do not contain it. */
export type Traced<Content extends Event = Event> = Content & { readonly traceparent?: string | undefined };

/**
 * An event with its sequence in the log, which increases with every event and is never reused. A test message has the sequence of the
 * newest event at the time of its request, and comes after that event.
 */
export type Sequenced<Content extends Event = Event> = Traced<Content> & { readonly sequence: bigint };

/** The body of a message: JSON. That of `plant.created` is a valid NewPlant. */
export const payloadOf = (event: Event): string => JSON.stringify(toPayload(event));

/** The payload as an object, for `JSON.stringify`. */
export const toPayload = (event: Event): object => {
  const { type, timestamp } = event;
  switch (type) {
    case 'webhook.test':
      return { type, timestamp };
    case 'plant.deleted':
      return { type, timestamp, id: int64ToJson(event.id) };
    case 'plant.picture.updated':
    case 'plant.picture.deleted':
      return { type, timestamp, id: int64ToJson(event.id), picture: event.picture };
    default:
      return { type, timestamp, ...newPlantToJson(event) };
  }
};

/** `evt_`, the key, `_`, and 96 bits of SHA-256 over the content in base64url. It is opaque to clients. */
export const eventIdOf = (event: Sequenced, payload = payloadOf(event)): string => {
  const key = keyTextOf(event);
  const content = `["${key}",${payload}]`;
  return `evt_${key}_${hash('sha256', content, 'base64url').slice(0, hashLength)}`;
};

/** The key of an event as text: `7` for an event of the log, `7t2` for test message number 2. */
export const keyTextOf = (event: Sequenced): string =>
  event.type === 'webhook.test' ? `${event.sequence}t${event.number}` : `${event.sequence}`;

/** Identifies an event. Ordered by the sequence, then by the number of a test message, which is 0 for an event of the log. */
export interface EventKey {
  readonly sequence: bigint;
  readonly number: bigint;
}

export const keyOf = (event: Sequenced): EventKey => ({
  sequence: event.sequence,
  number: event.type === 'webhook.test' ? event.number : 0n,
});

/** After all events and test messages. */
export const maxKey: EventKey = { sequence: int64Max, number: int64Max };

/** The cursor before the first event. It has the form of an id, but no event has this id. */
export const logStartId = 'evt_0_AAAAAAAAAAAAAAAA';
const logStart: EventKey = { sequence: 0n, number: 0n };

/** The key in an event's id, or the one before all events. Undefined if the text does not have the form of an id. */
export const parseEventId = (eventId: string): EventKey | undefined => {
  if (eventId === logStartId) return logStart;
  const [, sequenceText = '', numberText] = form.exec(eventId) ?? [];
  const sequence = int64FromCanonical(sequenceText);
  const number = int64FromCanonical(numberText ?? '0');
  if (sequence === undefined || number === undefined) return undefined;
  const isKey = numberText === undefined ? sequence > 0n : number > 0n;
  return isKey ? { sequence, number } : undefined;
};

/**
 * The key in a cursor. `lookUp` finds the event with that key, if any; `isGone` is true if it was pruned, so that the cursor
 * cannot be checked. Throws AppError `invalid_cursor`.
 */
export const expectKey = (
  cursor: string,
  lookUp: (key: EventKey) => { readonly existing: Sequenced | undefined; readonly isGone: boolean },
): EventKey => {
  const key = parseEventId(cursor);
  if (key === logStart) return key;
  const found = key && lookUp(key);
  const isOurs = found?.existing ? eventIdOf(found.existing) === cursor : found?.isGone;
  if (!key || !isOurs) throw new AppError(foreignCursor);
  return key;
};

/** A test message comes after the event of its sequence, which is therefore before it. */
export const sequenceAfter = ({ sequence, number }: EventKey): bigint => (number === 0n ? sequence : sequence + 1n);

/** Throws AppError `cursor_expired` when events after the key were removed. `first` is the oldest sequence, if any. */
export const expectNothingMissing = ({ sequence }: EventKey, first: bigint | undefined): bigint => {
  if (first !== undefined && sequence + 1n < first) throw new AppError(expiredCursor);
  return sequence;
};

const hashLength = 16;
const form = /^evt_(\d{1,19})(?:t(\d{1,19}))?_[0-9A-Za-z_-]{16}$/;
