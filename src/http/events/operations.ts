import { Type } from '@sinclair/typebox';
import { int64ToJson } from '../../base/int64.ts';
import { expiredCursor, foreignCursor, invalidQuery } from '../../domain/error.ts';
import { eventIdOf, type PlantEvent, type Sequenced, toPayload } from '../../domain/event.ts';
import { type Examples, operation } from '../operation.ts';
import { answerPage } from '../paging.ts';
import { sentenceOf } from '../schema/shape.ts';
import { Event, EventListQuery } from './schemas.ts';

const pages: Examples = {
  life: {
    summary: 'All that has happened to a plant',
    value: [
      {
        eventId: 'evt_1_Zk3Jm0nTq8yV5bXa',
        sequence: 1,
        type: 'plant.created',
        timestamp: '2026-05-01T09:30:00.000Z',
        id: 1,
        name: 'Monstera',
        tag: 'tropical',
      },
      {
        eventId: 'evt_2_m0Qx7bV1cT9kLr2w',
        sequence: 2,
        type: 'plant.updated',
        timestamp: '2026-05-01T09:31:00.000Z',
        id: 1,
        name: 'Monstera',
      },
      {
        eventId: 'evt_3_Hs8uEw2dYp5nFg6q',
        sequence: 3,
        type: 'plant.deleted',
        timestamp: '2026-05-01T09:32:00.000Z',
        id: 1,
      },
    ],
  },
};

export const listEvents = operation({
  method: 'get',
  path: '/events',
  operationId: 'listEvents',
  tag: 'events',
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
