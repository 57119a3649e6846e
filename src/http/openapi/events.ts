/** What the document says of the log of events. */
import { expiredCursor, foreignCursor } from '../../domain/log-cursor.ts';
import { Event, EventListQuery } from '../schemas/events.ts';
import { sentenceOf } from '../schemas/shape.ts';
import { failureResponses, reading } from './failures.ts';
import { headersOf } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { type Examples, json, listOf, needs } from './parts.ts';

const events: Examples = {
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

export const eventPaths = {
  '/events': {
    get: {
      operationId: 'listEvents',
      tags: ['events'],
      summary: 'List events',
      description:
        'Lists what has happened to the plants, oldest first. Every change has its event, written in one transaction with it. To go on where a page ended, even a day later, send the `eventId` of the last event that you have seen as `after`.',
      security: needs('plants:read'),
      parameters: parametersOf('query', EventListQuery),
      responses: {
        200: {
          description: 'A page of events.',
          headers: headersOf('Link'),
          content: json(listOf(Event), events),
        },
        ...failureResponses(
          ['invalid_query', sentenceOf(EventListQuery.properties.type)],
          foreignCursor,
          ...reading('plants:read'),
          expiredCursor,
        ),
      },
    },
  },
};
