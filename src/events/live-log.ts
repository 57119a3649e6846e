/**
 * The end of the log in memory, for all streams of this process with the same filter. One reader follows the log while there are
 * streams. Events that arrive within a short time are one block, which is encoded once. A stream has only its position: it takes the
 * block with the next event, waits at the end of the log, and reads from the store if the event is not in memory. So a slow stream,
 * or one that starts in the past, takes no memory, and streams at similar positions share their reads.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { AppError, expiredCursor } from '../base/app-error.ts';
import type { Subscribe } from '../storage/topic.ts';
import { eventIdOf, logStartId, type PlantEventType, parseEventId } from './event.ts';
import { type Block, createBlock } from './representation.ts';
import type { EventStore, LogPage } from './store.ts';

interface LiveLogOptions {
  readonly store: { readonly events: EventStore; readonly onNew: Subscribe };
  /** Only events of these types. Default: all. */
  readonly types?: readonly PlantEventType[] | undefined;
  /** The number of streams of the process. */
  readonly streams: () => number;
  /** Called when the log can no longer be followed. */
  readonly onFailure: (error: unknown) => void;
}

export type LiveLog = ReturnType<typeof createLiveLog>;

/**
 * How long events are collected for a block, with this number of streams. Each block costs one write per stream, so many streams get fewer
 * blocks: at most 12,500 writes a second up to 625 streams, and 20 blocks a second beyond.
 */
export const gatherMsFor = (streams: number): number => Math.min(50, Math.max(5, 0.08 * streams));

/** The maximum number of events in a block from the past: a millisecond of work. Each stream may read a different one. */
const pastEventsMax = 100;

/** The maximum number of blocks in memory: the newest ones. */
const blocksMax = 16;

export const createLiveLog = ({ store, types, streams, onFailure }: LiveLogOptions) => {
  const blocks: Block[] = [];
  const readings = new Map<bigint, Promise<Block | undefined>>();
  let arrival = Promise.withResolvers<void>();
  let head = 0n;
  let following: AbortController | undefined;

  const keep = (page: LogPage): Block | undefined => {
    if (!page.last) return undefined;
    const block = createBlock(page, page.last);
    blocks.push(block);
    if (blocks.length > blocksMax) blocks.shift();
    return block;
  };

  const wake = (): void => {
    arrival.resolve();
    arrival = Promise.withResolvers();
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    for await (const page of followLog(store, { after: head, types, signal })) {
      if (signal.aborted) return;
      head = keep(page)?.to ?? head;
      wake();
      await sleep(gatherMsFor(streams()));
    }
  };

  const readFrom = (from: bigint): Promise<Block | undefined> => {
    const reading = store.events
      .read(from, pastEventsMax, types)
      .then(keep)
      .finally(() => readings.delete(from));
    readings.set(from, reading);
    return reading;
  };

  return {
    /** Follows the log from its newest event, unless it is followed already. */
    start: (newest: bigint): void => {
      if (following) return;
      head = newest;
      following = new AbortController();
      follow(following.signal).catch(onFailure);
    },
    stop: (): void => {
      following?.abort();
      following = undefined;
      blocks.length = 0;
    },
    /** The block in memory with the next event after this sequence. */
    find: (after: bigint): Block | undefined => blocks.findLast(({ from, to }) => from <= after && after < to),
    /**
     * Reads the block with the next event after this sequence from the store. If events were removed, it begins after them.
     * Resolves to `undefined` at the end of the log. Rejects with AppError `unavailable`.
     */
    read: async (after: bigint): Promise<Block | undefined> => {
      if (after >= head) return undefined;
      // At a multiple of the size of a block, so that streams at similar positions find it.
      const from = after - (after % BigInt(pastEventsMax));
      const block = await (readings.get(from) ?? readFrom(from));
      // A read in progress may have begun before the event was written.
      const latest = block && block.to <= after ? await readFrom(from) : block;
      return latest && latest.to > after ? latest : undefined;
    },
    /** Resolves when there may be new events, or after `wake`. */
    arrival: (): Promise<void> => arrival.promise,
    wake,
  };
};

interface FollowOptions {
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
 * Follows the log of any engine after a sequence until it is aborted: yields the existing events in pages, then the new ones. A page
 * has no events if all new ones are of other types. The log has no gaps, and readers see a prefix of it, so all new events are after
 * the last one. While the database is not available, it waits. Throws AppError `cursor_expired` when events were removed before
 * they were read.
 */
export async function* followLog(
  { events, onNew }: { readonly events: EventStore; readonly onNew: Subscribe },
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
    let position = after;
    while (!signal.aborted) {
      // Before the read, so that an event that is written during the read causes another read.
      wakeUp = Promise.withResolvers();
      const page = await events.read(position, pageEventsMax, types).catch(unlessUnavailable);
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
 * or the newest one if that is omitted or empty. Rejects with AppError `invalid_cursor`, `cursor_expired` and `unavailable`.
 */
export const findStart = async (events: EventStore, after: string | undefined) => {
  const [newest] = await Promise.all([events.head(), after && events.list({ limit: 1, after })]);
  const key = after && parseEventId(after);
  if (key) return { newest, start: key.sequence, id: after };
  const [event] = newest > 0n ? (await events.read(newest - 1n, 1)).events : [];
  return event ? { newest, start: event.sequence, id: eventIdOf(event) } : { newest, start: 0n, id: logStartId };
};

/** For a read: nothing was read while the database is not available. Throws other errors again. */
export const unlessUnavailable = (error: unknown): undefined => {
  if (error instanceof AppError && error.code === 'unavailable') return undefined;
  throw error;
};
