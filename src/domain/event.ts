/**
 * What has happened to the plants, as a log. An event is written with its change, in one transaction, and
 * is never altered. Its id names it everywhere: in the log, as the cursor to go on after it, and as the `webhook-id` of
 * every message about it. A hash of the content is part of the id, so that two histories, such as those before and
 * after a backup was restored, never give one id to two events.
 */
import { hash } from 'node:crypto';
import { int64FromCanonical, int64ToJson } from '../base/int64.ts';
import { isOneOf } from '../base/text.ts';
import { AppError, expiredCursor, foreignCursor } from './error.ts';
import { type NewPlant, newPlantToJson } from './plant.ts';

export const plantEventTypes = ['plant.created', 'plant.updated', 'plant.deleted'] as const;
export type PlantEventType = (typeof plantEventTypes)[number];
export const isPlantEventType = isOneOf(plantEventTypes);

/** The plant as it is after the change; `timestamp` is RFC 3339, UTC. */
export interface PlantCreatedOrUpdated extends NewPlant {
  readonly type: 'plant.created' | 'plant.updated';
  readonly timestamp: string;
}

export interface PlantDeleted {
  readonly type: 'plant.deleted';
  readonly timestamp: string;
  readonly id: bigint;
}

/** Requested by a client, for one webhook alone. Nothing has happened, so it is not in the log. */
export interface WebhookTest {
  readonly type: 'webhook.test';
  readonly timestamp: string;
  /** Numbers the tests, from 1. */
  readonly number: bigint;
}

export type PlantEvent = PlantCreatedOrUpdated | PlantDeleted;
export type Event = PlantEvent | WebhookTest;

/**
 * An event in its place in the log: `sequence` rises with every event, and is never given out twice. A test has the sequence of
 * the event that was the newest when it was requested, and comes after that event.
 */
export type Sequenced<Content extends Event = Event> = Content & { readonly sequence: bigint };

/** What a webhook sends of an event, for `JSON.stringify`. That of `plant.created` is a valid NewPlant. */
export const toPayload = (event: Event): object => {
  const { type, timestamp } = event;
  switch (type) {
    case 'webhook.test':
      return { type, timestamp };
    case 'plant.deleted':
      return { type, timestamp, id: int64ToJson(event.id) };
    default:
      return { type, timestamp, ...newPlantToJson(event) };
  }
};

/** `evt_`, the place, `_`, and 96 bits of SHA-256 over the content in base64url. To a client it is opaque. */
export const eventIdOf = (event: Sequenced): string => {
  const place = placeNameOf(event);
  const content = JSON.stringify([place, toPayload(event)]);
  return `evt_${place}_${hash('sha256', content, 'base64url').slice(0, hashLength)}`;
};

/** Names the place of an event, among those of the log and the tests: `7`, or `7t2` for the test of the number 2. */
export const placeNameOf = (event: Sequenced): string =>
  event.type === 'webhook.test' ? `${event.sequence}t${event.number}` : `${event.sequence}`;

/** Where an event is: the greater, the newer, by the sequence and then by the number, which is 0 for an event of the log. */
export interface EventPlace {
  readonly sequence: bigint;
  readonly number: bigint;
}

export const placeOf = (event: Sequenced): EventPlace => ({
  sequence: event.sequence,
  number: event.type === 'webhook.test' ? event.number : 0n,
});

/** For sorting, the newest first. */
export const compareNewest = (a: EventPlace, b: EventPlace): number =>
  a.sequence === b.sequence ? Number(b.number - a.number) : Number(b.sequence - a.sequence);

/** The place that an event's id names. Absent when the text has not the form of one. */
export const placeIn = (eventId: string): EventPlace | undefined => {
  const [, sequenceText = '', numberText] = form.exec(eventId) ?? [];
  const sequence = int64FromCanonical(sequenceText);
  const number = int64FromCanonical(numberText ?? '0');
  if (sequence === undefined || number === undefined) return undefined;
  const isPlace = numberText === undefined ? sequence > 0n : number > 0n;
  return isPlace ? { sequence, number } : undefined;
};

/**
 * The place that a cursor names. `present` is the event at that place, if there is one, and `isGone` says whether all events at
 * it and before it were removed, so that the cursor can no longer be checked. Throws AppError `invalid_cursor`.
 */
export const expectPlace = (
  cursor: string,
  place: EventPlace | undefined,
  { present, isGone }: { present: Sequenced | undefined; isGone: boolean },
): EventPlace => {
  const isOurs = present ? eventIdOf(present) === cursor : isGone;
  if (!place || !isOurs) throw new AppError(foreignCursor);
  return place;
};

/** Throws AppError `cursor_expired` when events after the place were removed: the log begins with `first`, if it has any. */
export const expectNothingMissing = ({ sequence }: EventPlace, first: bigint | undefined): bigint => {
  if (first !== undefined && sequence + 1n < first) throw new AppError(expiredCursor);
  return sequence;
};

const hashLength = 16;
const form = /^evt_(\d{1,19})(?:t(\d{1,19}))?_[0-9A-Za-z_-]{16}$/;
