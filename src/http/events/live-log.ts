/**
 * The end of the log in memory, for all streams of this process. One reader follows the log while there are streams. Events that
 * arrive within a short time are one block, which is encoded once. A stream has only its position: it takes the block with the
 * next event, waits at the end of the log, and reads from the store if the event is not in memory. So a slow stream, or one that
 * starts in the past, takes no memory, and streams at similar positions share their reads.
 */
import type { PlantEvent, Sequenced } from '../../domain/event.ts';
import type { Store } from '../../store/store.ts';
import { type Block, createBlock } from './block.ts';
import { followLog, pageEventsMax } from './follow.ts';

interface LiveLogOptions {
  readonly store: Pick<Store, 'events' | 'onNew'>;
  /** Called when the log can no longer be followed. */
  readonly onFailure: (error: unknown) => void;
}

export type LiveLog = ReturnType<typeof createLiveLog>;

/** How long events are collected for a block. Each block costs one write per stream. */
const gatherMs = 50;

/** The maximum number of blocks in memory: the newest ones. */
const blocksMax = 16;

export const createLiveLog = ({ store, onFailure }: LiveLogOptions) => {
  const blocks: Block[] = [];
  const readings = new Map<bigint, Promise<Block | undefined>>();
  let arrival = Promise.withResolvers<void>();
  let head = 0n;
  let following: AbortController | undefined;

  const keep = ([first, ...rest]: readonly Sequenced<PlantEvent>[]): Block | undefined => {
    if (!first) return undefined;
    const block = createBlock([first, ...rest]);
    blocks.push(block);
    if (blocks.length > blocksMax) blocks.shift();
    return block;
  };

  const wake = (): void => {
    arrival.resolve();
    arrival = Promise.withResolvers();
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    for await (const events of followLog(store, { after: head, signal })) {
      if (signal.aborted) return;
      head = keep(events)?.to ?? head;
      wake();
      await Bun.sleep(gatherMs);
    }
  };

  const readFrom = (from: bigint): Promise<Block | undefined> => {
    const reading = store.events
      .read(from, pageEventsMax)
      .then(({ events }) => keep(events))
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
      // At a multiple of the page size, so that streams at similar positions find it.
      const from = after - (after % BigInt(pageEventsMax));
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
