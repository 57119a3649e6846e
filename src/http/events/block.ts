import type { PlantEvent, PlantEventType, Sequenced } from '../../domain/event.ts';
import { toFrame } from './representation.ts';

/** Consecutive events of the log, as server-sent events that all streams share. */
export interface Block {
  /** The sequence before the first event, and that of the last one. */
  readonly from: bigint;
  readonly to: bigint;
  /** The next events after this sequence, which is in the block: at least one, and as many more as fit into `pieceBytesMax`. */
  take(after: bigint, type: PlantEventType | undefined): Piece;
}

export interface Piece {
  /** Empty when no event is of the type. */
  readonly bytes: Uint8Array;
  /** The last event of the piece, or a later event of another type. */
  readonly last: Sequenced<PlantEvent>;
}

/** The maximum that is given to a connection at once. A single frame is smaller. */
export const pieceBytesMax = 64 * 1024;

export const createBlock = (events: readonly [Sequenced<PlantEvent>, ...Sequenced<PlantEvent>[]]): Block => {
  const from = events[0].sequence - 1n;
  const frames = events.map((event) => Buffer.from(toFrame(event)));
  const texts = new Map<PlantEventType | undefined, FramedText>();

  const textOf = (type: PlantEventType | undefined): FramedText => {
    const known = texts.get(type);
    if (known) return known;
    const text = join(
      frames.map((frame, index) => (type === undefined || events[index]?.type === type ? frame : none)),
    );
    texts.set(type, text);
    return text;
  };

  return {
    from,
    to: from + BigInt(events.length),
    take: (after, type) => {
      const { bytes, ends } = textOf(type);
      const first = Number(after - from);
      const start = ends[first - 1] ?? 0;
      const beyond = ends.findIndex((end, index) => index > first && end - start > pieceBytesMax);
      const count = beyond === -1 ? ends.length : beyond;
      return { bytes: bytes.subarray(start, ends[count - 1]), last: events[count - 1] ?? events[0] };
    },
  };
};

/** The frames of a block, and where each one ends. */
interface FramedText {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
}

const join = (frames: readonly Buffer[]): FramedText => {
  let end = 0;
  return { bytes: Buffer.concat(frames), ends: frames.map(({ length }) => (end += length)) };
};

const none = Buffer.alloc(0);
