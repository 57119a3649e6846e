import { int64ToJson } from '../base/int64.ts';
import { eventIdOf, type PlantEvent, type Sequenced, toPayload } from '../domain/event.ts';
import type { EventStore } from '../store/store.ts';
import { answerPage } from './paging.ts';
import type { EventListParams } from './schemas/events.ts';

export const listEvents =
  (events: EventStore) =>
  async ({ query: { limit, type, after } }: { query: EventListParams }): Promise<Response> =>
    answerPage({
      path: '/events',
      query: { limit, type, after },
      list: (count, last) => {
        const place = last === undefined ? after : eventIdOf(last);
        return events.list({
          limit: count,
          ...(place !== undefined && { after: place }),
          ...(type !== undefined && { type }),
        });
      },
      toBody,
      toCursor: eventIdOf,
    });

/** What a webhook sends of the event, and its place in the log. */
const toBody = (event: Sequenced<PlantEvent>) => ({
  eventId: eventIdOf(event),
  sequence: int64ToJson(event.sequence),
  ...toPayload(event),
});
