import { Type } from '@sinclair/typebox';
import { toJsonPage } from '../../base/json-page.ts';
import { expiredCursor, foreignCursor, invalidQuery, tooManyStreams } from '../../domain/error.ts';
import { eventIdOf } from '../../domain/event.ts';
import { preferredType } from '../accept.ts';
import { type Alternative, operation } from '../operation.ts';
import { answerPage } from '../paging.ts';
import { sentenceOf } from '../schema/shape.ts';
import { eventPages, streams as streamExamples } from './examples.ts';
import { toJson } from './representation.ts';
import { Event, EventListHeaders, EventListQuery, EventStream } from './schemas.ts';
import { streamsMax } from './streams.ts';

const stream: Alternative = { mediaType: 'text/event-stream', schema: EventStream, examples: streamExamples };

/** A cache that does not look at `Accept` would give one answer for the other. */
const negotiated = { 'cache-control': 'no-store', vary: 'accept' };

export const listEvents = operation({
  route: 'GET /events',
  summary: 'List events',
  description: `Lists what has happened to the plants, oldest first. Every change has its event, written in one transaction with it. To go on where a page ended, even a day later, send the \`eventId\` of the last event that you have seen as \`after\`.

With \`Accept: text/event-stream\` the answer is a live stream of server-sent events: from \`Last-Event-ID\`, else from \`after\`, else from now on. No event is skipped or repeated, not even when a client connects again, to any process, with the last id that it has. A stream begins with the id of its place in the log, without an event, so that a client has an id before it has an event. A browser's own \`EventSource\` cannot send a token; \`fetch\` can, and so can many clients of server-sent events. A comment every 15 seconds keeps the connection open, and the place in the log comes with it. The stream ends when the token does, when the service stops, and when the client does not read for half a minute. A process has at most ${streamsMax} streams. \`limit\` has no effect on them.`,
  scope: 'plants:read',
  parameters: { query: EventListQuery, headers: EventListHeaders },
  answers: {
    200: {
      description: 'A page of events, or a stream of them.',
      headers: ['Cache-Control', 'Link', 'X-Accel-Buffering'],
      schema: Type.Array(Event),
      examples: eventPages,
      alternative: stream,
    },
  },
  failures: [invalidQuery(sentenceOf(EventListQuery.properties.type)), foreignCursor, expiredCursor, tooManyStreams],
  handler:
    ({ store: { events }, streams }) =>
    async ({ query: { limit, type, after }, request, digest }) => {
      if (preferredType(request.headers, ['application/json', stream.mediaType]) === stream.mediaType)
        return streams.open({ request, digest, after: request.headers.get('last-event-id') ?? after, type });
      return answerPage<string>({
        path: '/events',
        headers: negotiated,
        query: { limit, type, after },
        list: async (count, end = after) =>
          toJsonPage(await events.list({ limit: count + 1, after: end, type }), count, {
            toJson,
            placeOf: (event) => eventIdOf(event),
          }),
        toCursor: (end) => end,
      });
    },
});
