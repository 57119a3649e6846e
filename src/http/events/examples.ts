import { eventIdOf, logStartId, toPayload } from '../../domain/event.ts';
import {
  eventsBeforeWebhook,
  eventsOfWebhook,
  fernCreated,
  fernDeleted,
  fernUpdated,
  firstTest,
} from '../../domain/fixture.ts';
import { type Examples, toExample } from '../example.ts';
import { heartbeatFrame, toFrame, toJson } from './representation.ts';

/** What is sent to webhooks about the life of a plant. */
export const messages = {
  created: { summary: 'A plant with a tag', value: toExample(toPayload(fernCreated)) },
  updated: { summary: 'Its tag was removed', value: toExample(toPayload(fernUpdated)) },
  deleted: { summary: 'Nothing but the id is left', value: toExample(toPayload(fernDeleted)) },
  test: { summary: 'Nothing has happened', value: toExample(toPayload(firstTest)) },
} satisfies Examples;

const log = [...eventsBeforeWebhook, ...eventsOfWebhook];

export const eventPages: Examples = {
  all: { summary: 'All that has happened', value: log.map((event) => JSON.parse(toJson(event))) },
};

/** The beginning of a stream, and the log. */
export const streamText = [heartbeatFrame(logStartId), ...log.map(toFrame)].join('');

/** What a client has when it has parsed the text. */
export const streamedEvents = log.map((event) => ({
  id: eventIdOf(event),
  event: event.type,
  data: toJson(event),
}));

export const streams: Examples = {
  live: {
    summary: 'The same as it happens, after the beginning of each stream: a comment, and the place in the log',
    value: streamText,
  },
};
