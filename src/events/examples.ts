import type { Examples } from '../http/schema.ts';
import { eventIdOf, toPayload } from './event.ts';
import { comment, toFrame, toJson } from './representation.ts';
import {
  eventsOfWebhook,
  fernCreated,
  fernDeleted,
  fernUpdated,
  firstTest,
  monsteraPictured,
  monsteraUnpictured,
} from './sample.ts';

export const messages = {
  created: { summary: 'A plant with a tag', value: toPayload(fernCreated) },
  updated: { summary: 'A plant after its tag was removed', value: toPayload(fernUpdated) },
  pictured: { summary: 'A picture, without its bytes', value: toPayload(monsteraPictured) },
  unpictured: {
    summary: 'The picture that was deleted',
    value: toPayload(monsteraUnpictured),
  },
  deleted: { summary: 'Only the id of the deleted plant', value: toPayload(fernDeleted) },
  test: { summary: 'A test without an event', value: toPayload(firstTest) },
} satisfies Examples;

/** Those after the example of `after`. */
const log = [...eventsOfWebhook, monsteraPictured];

export const eventPages: Examples = {
  later: { summary: 'The events after the example of `after`', value: log.map((event) => JSON.parse(toJson(event))) },
};

export const streamText = [comment, ...log.map(toFrame)].join('');

/** The events after a client has parsed the text. */
export const streamedEvents = log.map((event) => ({ id: eventIdOf(event), event: event.type, data: toJson(event) }));

export const streams = {
  live: {
    summary: 'The same events as a stream, which begins with a comment',
    value: streamText,
  },
} satisfies Examples;
