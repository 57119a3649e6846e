import { setImmediate } from 'node:timers/promises';
import { AppError, expiredCursor } from '../../domain/error.ts';
import { eventIdOf, logStartId, type PlantEventType, placeIn } from '../../domain/event.ts';
import type { EventStore, LogPage, Store } from '../../store/store.ts';

export interface FollowOptions {
  /** The sequence of the last event that the follower has. */
  readonly after: bigint;
  /** Default: all. */
  readonly types?: readonly PlantEventType[] | undefined;
  readonly signal: AbortSignal;
}

/** Events from another process are found after this time, if there is no notification. */
const pollMs = 250;

const pageEventsMax = 500;

/**
 * Follows the log of any engine from a place until it is aborted: yields the present events in pages, and then the new ones. A page
 * has no events if all new ones are of other types. The log has no gaps, and readers see a prefix of it, so all new events are after
 * the last one. While the database is not available, it waits. Throws AppError `cursor_expired` when events were removed before
 * they were read.
 */
export async function* followLog(
  { events, onNew }: Pick<Store, 'events' | 'onNew'>,
  { after, types, signal }: FollowOptions,
): AsyncGenerator<LogPage> {
  let wakeUp = Promise.withResolvers<void>();
  const wake = (): void => wakeUp.resolve();
  const unsubscribe = onNew((what) => {
    if (what === 'event') wake();
  });
  const poll = setInterval(wake, pollMs);
  signal.addEventListener('abort', wake);
  try {
    for (let position = after; !signal.aborted; ) {
      // Before the read, so that an event that is written during the read causes another read.
      wakeUp = Promise.withResolvers();
      const page = await events.read(position, pageEventsMax, types).catch(toNothing);
      if (page && page.readFrom > position) throw new AppError(expiredCursor);
      if (page?.last) yield page;
      position = page?.readTo ?? position;
      // A read of SQLite may resolve without leaving the turn of the event loop.
      await (page?.hasMore ? setImmediate() : wakeUp.promise);
    }
  } finally {
    unsubscribe();
    clearInterval(poll);
    signal.removeEventListener('abort', wake);
  }
}

/**
 * The sequence of the newest event, and the sequence and the id of the event to follow the log from: the event with the id `after`,
 * or the newest one. Rejects with AppError `invalid_cursor`, `cursor_expired` and `unavailable`.
 */
export const findStart = async (events: EventStore, after: string | undefined) => {
  const [newest] = await Promise.all([events.head(), after === undefined || events.list({ limit: 1, after })]);
  const place = after === undefined ? undefined : placeIn(after);
  if (place && after !== undefined) return { newest, start: place.sequence, id: after };
  const [event] = newest > 0n ? (await events.read(newest - 1n, 1)).events : [];
  return event ? { newest, start: event.sequence, id: eventIdOf(event) } : { newest, start: 0n, id: logStartId };
};

/** Nothing was read if the store is not available. Other errors are thrown again. */
const toNothing = (error: unknown): undefined => {
  if (error instanceof AppError && error.code === 'unavailable') return undefined;
  throw error;
};
