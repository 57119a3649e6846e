import { Type } from '@sinclair/typebox';
import { int64ToJson } from '../../base/int64.ts';
import { expiredCursor, foreignCursor, invalidQuery } from '../../domain/error.ts';
import { eventIdOf, type PlantEvent, type Sequenced, toPayload } from '../../domain/event.ts';
import { operation } from '../operation.ts';
import { answerPage } from '../paging.ts';
import { sentenceOf } from '../schema/shape.ts';
import { eventPages } from './examples.ts';
import { Event, EventListQuery } from './schemas.ts';

export const listEvents = operation({
  route: 'GET /events',
  summary: 'List events',
  description:
    'Lists what has happened to the plants, oldest first. Every change has its event, written in one transaction with it. To go on where a page ended, even a day later, send the `eventId` of the last event that you have seen as `after`.',
  scope: 'plants:read',
  parameters: { query: EventListQuery },
  answers: {
    200: { description: 'A page of events.', headers: ['Link'], schema: Type.Array(Event), examples: eventPages },
  },
  failures: [invalidQuery(sentenceOf(EventListQuery.properties.type)), foreignCursor, expiredCursor],
  handler:
    ({ store: { events } }) =>
    async ({ query: { limit, type, after } }) =>
      answerPage({
        path: '/events',
        query: { limit, type, after },
        list: (count, last) => events.list({ limit: count, after: last ? eventIdOf(last) : after, type }),
        toBody,
        toCursor: eventIdOf,
      }),
});

/** What a webhook sends of the event, and its place in the log. */
const toBody = (event: Sequenced<PlantEvent>) => ({
  eventId: eventIdOf(event),
  sequence: int64ToJson(event.sequence),
  ...toPayload(event),
});
