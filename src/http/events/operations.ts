import { Type } from '@sinclair/typebox';
import { expiredCursor, foreignCursor, invalidQuery } from '../../domain/error.ts';
import { eventIdOf } from '../../domain/event.ts';
import { preferredType } from '../accept.ts';
import { type Examples, operation } from '../operation.ts';
import { answerPage } from '../paging.ts';
import { sentenceOf } from '../schema/shape.ts';
import { toBody } from './representation.ts';
import { Event, EventListQuery } from './schemas.ts';

/** The life of a plant: as messages to webhooks, and in the log. */
const monstera = { id: 1, name: 'Monstera' };
const created = { type: 'plant.created', timestamp: '2026-05-01T09:30:00.000Z', ...monstera, tag: 'tropical' };
const updated = { type: 'plant.updated', timestamp: '2026-05-01T09:31:00.000Z', ...monstera };
const deleted = { type: 'plant.deleted', timestamp: '2026-05-01T09:32:00.000Z', id: 1 };
const test = { type: 'webhook.test', timestamp: '2026-05-01T09:33:00.000Z' };

export const messages = {
  created: { summary: 'A plant with a tag', value: created },
  updated: { summary: 'Its tag was removed', value: updated },
  deleted: { summary: 'Nothing but the id is left', value: deleted },
  test: { summary: 'Nothing has happened', value: test },
} satisfies Examples;

const pages: Examples = {
  life: {
    summary: 'All that has happened to a plant',
    value: [
      { eventId: 'evt_1_Zk3Jm0nTq8yV5bXa', sequence: 1, ...created },
      { eventId: 'evt_2_m0Qx7bV1cT9kLr2w', sequence: 2, ...updated },
      { eventId: 'evt_3_Hs8uEw2dYp5nFg6q', sequence: 3, ...deleted },
    ],
  },
};

export const listEvents = operation({
  route: 'GET /events',
  summary: 'List events',
  description:
    'Lists what has happened to the plants, oldest first. Every change has its event, written in one transaction with it. To go on where a page ended, even a day later, send the `eventId` of the last event that you have seen as `after`.',
  scope: 'plants:read',
  parameters: { query: EventListQuery },
  answers: {
    200: { description: 'A page of events.', headers: ['Link'], schema: Type.Array(Event), examples: pages },
  },
  failures: [invalidQuery(sentenceOf(EventListQuery.properties.type)), foreignCursor, expiredCursor],
  handler:
    ({ store: { events }, streams }) =>
    async ({ query: { limit, type, after }, request, digest }) => {
      if (preferredType(request.headers, ['application/json', 'text/event-stream']) === 'text/event-stream')
        return streams.open({ request, digest, after: request.headers.get('last-event-id') ?? after, type });
      return answerPage({
        path: '/events',
        query: { limit, type, after },
        list: (count, last) => events.list({ limit: count, after: last ? eventIdOf(last) : after, type }),
        toBody,
        toCursor: eventIdOf,
      });
    },
});
