/** What the document says of the log of events. */
import { EventListQuery } from './event-schemas.ts';
import { failures, json, needs, nextLink, parametersOf, readFailures, ref } from './openapi-parts.ts';

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
          headers: { Link: nextLink },
          content: json({ type: 'array', items: ref('Event') }),
        },
        ...failures('invalid_query', 'invalid_cursor', ...readFailures, 'cursor_expired'),
      },
    },
  },
};
