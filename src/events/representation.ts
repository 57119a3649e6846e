import type { PlantEvent } from '../plants/plant.ts';
import { eventIdOf, payloadOf, type Sequenced } from './event.ts';
import type { LogPage } from './store.ts';

/** The JSON of an event in `GET /events`: its id and sequence, and the members of the message to webhooks. */
export const toJson = (event: Sequenced<PlantEvent>): string => encode(event).json;

/** An event as a server-sent event (WHATWG HTML §9.2). JSON escapes line breaks, so `data` is one line. */
export const toFrame = (event: Sequenced<PlantEvent>): string => {
  const { id, json } = encode(event);
  return `id: ${id}\nevent: ${event.type}\ndata: ${json}\n\n`;
};

const encode = (event: Sequenced<PlantEvent>) => {
  const payload = payloadOf(event);
  const id = eventIdOf(event, payload);
  return { id, json: `{"eventId":"${id}","sequence":${event.sequence},${payload.slice(1)}` };
};

/**
 * The beginning of a stream, and its heartbeat: a comment, which shows the client and proxies that the stream is alive. No empty
 * line ends it: at each empty line, some widely used clients report an event, even if it has no data.
 */
export const comment = Buffer.from(':\n');

/** The maximum that is given to a connection at once. A single frame is smaller. */
export const pieceBytesMax = 64 * 1024;

/** A block of the log: a page as server-sent events, which all streams of its types share. */
export type Block = ReturnType<typeof createBlock>;

/** `last` is the last event of the page: of any type, and not in `events` if they are of another one. */
export const createBlock = (
  { events, readFrom }: Pick<LogPage, 'events' | 'readFrom'>,
  last: Sequenced<PlantEvent>,
) => {
  const frames = events.map((event) => Buffer.from(toFrame(event)));
  let end = 0;
  const ends = frames.map(({ length }) => (end += length));
  const bytes = Buffer.concat(frames);

  return {
    /** The sequence before the page, and that of the last event of any type in it. */
    from: readFrom,
    to: last.sequence,
    /**
     * The next events after this sequence, which is in the block: as many as fit into `pieceBytesMax`, but at least one if there is
     * one. `last` is the last of them, or a later event of another type.
     */
    take: (after: bigint): { readonly bytes: Uint8Array; readonly last: Sequenced<PlantEvent> } => {
      if (after === readFrom && bytes.length <= pieceBytesMax) return { bytes, last };
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
