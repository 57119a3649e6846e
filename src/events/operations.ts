import { expiredCursor, foreignCursor, tooManyStreams } from '../base/app-error.ts';
import { toJsonPage } from '../base/page.ts';
import { faultOf, invalidParameters } from '../http/faults.ts';
import { preferredType } from '../http/media-type.ts';
import { type Alternative, operation } from '../http/operation.ts';
import { invalidLimit, pageResponse } from '../http/paging.ts';
import { t } from '../http/schema.ts';
import { eventIdOf } from './event.ts';
import { eventPages, streams as streamExamples } from './examples.ts';
import { eventsInStep, plantScanSteps, toPlantPage } from './plant-page.ts';
import { toJson } from './representation.ts';
import { Event, EventListHeaders, EventListQuery, EventStream } from './schemas.ts';
import type { EventStore } from './store.ts';
import type { Streams } from './streams.ts';
import { streamsMax } from './streams.ts';

const stream: Alternative = { mediaType: 'text/event-stream', schema: EventStream, examples: streamExamples };

/** Each event has an id with a hash, and perhaps the name of a plant. */
const rowsOfEvent = 5;

/** A cache that ignores `Accept` would return a page for a stream, or the reverse. */
const negotiated = { 'cache-control': 'no-store', vary: 'accept' };

interface Needs {
  readonly events: EventStore;
  readonly streams: Streams;
}

export const listEvents = operation({
  route: 'GET /events',
  summary: 'List events',
  description: `Lists the changes to plants, oldest first, or with \`sort=-sequence\` newest first. Every change writes one event, in the same transaction, so the log has each change once. To continue after a page, even a day later, send the \`eventId\` of the last event that you have received as \`after\`.

With \`Accept: text/event-stream\` the response is a live stream of server-sent events. It begins after \`Last-Event-ID\` if that has a value, otherwise after \`after\` if that has a value, otherwise with the next event. No event is skipped or repeated, even if the client reconnects to another process with the last id that it received. The header \`Last-Event-ID\` of the response, also to \`HEAD\`, is the id after which the stream begins: with it as \`after\` in its URL, a client that reconnects before it has received an event misses nothing. The \`EventSource\` of browsers cannot send a token; \`fetch\` and many clients of server-sent events can. A comment every 15 seconds keeps the connection open. The stream ends when the token expires or is revoked, when the service stops, and when the client does not read for 30 to 45 seconds. A process has at most ${streamsMax} streams. \`limit\`, \`sort\` and \`plant\` have no effect on a stream.`,
  scope: 'plants:read',
  parameters: { query: EventListQuery, headers: EventListHeaders },
  responses: {
    200: {
      description: 'A page of events, or a stream of events.',
      headers: {
        'Cache-Control': 'no-store',
        'Last-Event-ID': undefined,
        Link: undefined,
        'X-Accel-Buffering': undefined,
      },
      schema: t.Array(Event),
      examples: eventPages,
      alternatives: [stream],
    },
  },
  failures: [
    invalidLimit,
    invalidParameters(faultOf(EventListQuery, 'type')),
    invalidParameters(faultOf(EventListQuery, 'sort')),
    invalidParameters(faultOf(EventListQuery, 'plant')),
    foreignCursor,
    expiredCursor,
    tooManyStreams,
  ],
  handler:
    ({ events, streams }: Needs) =>
    async ({ query: { limit, type, sort, plant, after }, request, digest }) => {
      if (preferredType(request.headers, ['application/json', stream.mediaType]) === stream.mediaType)
        return streams.open({ request, digest, after: request.headers.get('last-event-id') || after, type });
      return pageResponse({
        request,
        headers: negotiated,
        query: { limit, type, sort, plant, after },
        list: async (count, cursor) => {
          const limit = plant === undefined ? count : eventsInStep;
          const isNewestFirst = sort === '-sequence';
          const found = await events.list({ limit: limit + 1, after: cursor, type, isNewestFirst });
          return plant === undefined
            ? toJsonPage(found, count, { toJson, keyOf: eventIdOf })
            : toPlantPage(found, BigInt(plant), count);
        },
        rowsOfItem: rowsOfEvent,
        scanSteps: plant === undefined ? undefined : plantScanSteps,
      });
    },
});
