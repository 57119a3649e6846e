/**
 * What has happened to the plants, as a log. An event is written with the change that it tells of, in one transaction, and
 * is never altered. Its id names it everywhere: in the log, as the cursor to go on after it, and as the `webhook-id` of
 * every message that tells of it. A hash of the content is part of the id, so that two histories, such as those before and
 * after a backup was restored, never give one id to two events.
 */
import { hash } from 'node:crypto';
import { int64FromCanonical, int64ToJson } from './int64.ts';
import type { NewPlant } from './plant.ts';
import { isOneOf } from './words.ts';

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

/** Asked for by hand, for one webhook alone: it stands in no list of events. */
export interface WebhookTest {
  readonly type: 'webhook.test';
  readonly timestamp: string;
}

export type PlantEvent = PlantCreatedOrUpdated | PlantDeleted;
export type Event = PlantEvent | WebhookTest;

/** An event in its place in the log: `sequence` rises with every event, and is never given out twice. */
export type Sequenced<Content extends Event = Event> = Content & { readonly sequence: bigint };

export const isOfPlant = (event: Sequenced): event is Sequenced<PlantEvent> => event.type !== 'webhook.test';

/** What a webhook sends of an event, for `JSON.stringify`. That of `plant.created` is a valid NewPlant. */
export const toPayload = (event: Event): object => {
  const { type, timestamp } = event;
  switch (type) {
    case 'webhook.test':
      return { type, timestamp };
    case 'plant.deleted':
      return { type, timestamp, id: int64ToJson(event.id) };
    default:
      return { type, timestamp, id: int64ToJson(event.id), name: event.name, tag: event.tag };
  }
};

/** `evt_`, the sequence, `_`, and 96 bits of SHA-256 over the content in base64url. To a client it is opaque. */
export const eventIdOf = (event: Sequenced): string => {
  const content = JSON.stringify([`${event.sequence}`, toPayload(event)]);
  return `evt_${event.sequence}_${hash('sha256', content, 'base64url').slice(0, hashLength)}`;
};

/** The place in the log that an event's id names. Absent when the text has not the form of one. */
export const sequenceOf = (eventId: string): bigint | undefined => {
  const sequence = int64FromCanonical(form.exec(eventId)?.[1] ?? '');
  return sequence !== undefined && sequence > 0n ? sequence : undefined;
};

const hashLength = 16;
const form = /^evt_(\d{1,19})_[0-9A-Za-z_-]{16}$/;
