import type { PlantEvent, Sequenced } from '../../domain/event.ts';
import type { LogPage } from '../../store/store.ts';
import { toFrame } from './representation.ts';

/** A page of the log, as server-sent events that all streams of its type share. */
export interface Block {
  /** The sequence before the page, and that of the last event of any type in it. */
  readonly from: bigint;
  readonly to: bigint;
  /** The next events after this sequence, which is in the block: as many as fit into `pieceBytesMax`, but at least one if there is one. */
  take(after: bigint): Piece;
}

export interface Piece {
  /** Empty when no event is of the type. */
  readonly bytes: Uint8Array;
  /** The last event of the piece, or a later event of another type. */
  readonly last: Sequenced<PlantEvent>;
}

/** The maximum that is given to a connection at once. A single frame is smaller. */
export const pieceBytesMax = 64 * 1024;

/** `last` is the last event of the page: of any type, and not in `events` if they are of another one. */
export const createBlock = (
  { events, readFrom }: Pick<LogPage, 'events' | 'readFrom'>,
  last: Sequenced<PlantEvent>,
): Block => {
  const frames = events.map((event) => Buffer.from(toFrame(event)));
  let end = 0;
  const ends = frames.map(({ length }) => (end += length));
  const bytes = Buffer.concat(frames);

  return {
    from: readFrom,
    to: last.sequence,
    take: (after) => {
      const first = events.findIndex(({ sequence }) => sequence > after);
      if (first === -1) return { bytes: none, last };
      const start = ends[first - 1] ?? 0;
      const beyond = ends.findIndex((end, index) => index > first && end - start > pieceBytesMax);
      if (beyond === -1) return { bytes: bytes.subarray(start), last };
      return { bytes: bytes.subarray(start, ends[beyond - 1]), last: events[beyond - 1] ?? last };
    },
  };
};

const none = Buffer.alloc(0);
