import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { LoggedEvent } from './log-reader.ts';
import { openRawStream, type RawStream } from './raw-stream.ts';

export interface LiveSource {
  /** Returns the port of 127.0.0.1 for the next connection. */
  readonly port: () => number;
  readonly headers: Readonly<Record<string, string>>;
  /** The id of the event after which the reader begins. Absent: it begins with the next event. */
  readonly after?: string | undefined;
  /** Returns the `Last-Event-ID` of the next stream. Default: the last received id, or that of the header before the first event. */
  readonly resumeFrom?: (events: readonly LoggedEvent[], lastId: string | undefined) => string | undefined;
}

/** `within a frame`: the connection was closed in the middle of an event or a comment. */
export type StreamEnd = 'complete' | 'between frames' | 'within a frame' | 'refused';

export interface LiveReader {
  /** The id in the header of the first stream: that of the event after which the reader begins. */
  firstId(): string | undefined;
  /** The events so far, in the order in which they arrived. */
  readonly events: readonly LoggedEvent[];
  /** The faults of streams, in sentences. */
  readonly faults: readonly string[];
  /** How many streams ended in this way. */
  count(end: StreamEnd): number;
  /** How many streams were opened. */
  streams(): number;
  stop(): void;
}

/** Follows the live log and connects again whenever a stream ends, until it is stopped. */
export const followLive = ({
  port,
  headers,
  after,
  resumeFrom = (_events, lastId) => lastId,
}: LiveSource): LiveReader => {
  const events: LoggedEvent[] = [];
  const faults: string[] = [];
  const ends: StreamEnd[] = [];
  let stream: RawStream | undefined;
  let firstId: string | undefined;
  let lastId: string | undefined;
  let [streams, isOver] = [0, false];

  const readStream = async (): Promise<StreamEnd> => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const parser = createParser({
      onEvent: ({ id, event: type, data }) => {
        const event: LoggedEvent = JSON.parse(data);
        if (id !== event.eventId || type !== event.type) faults.push(`${id} of type ${type} has the data ${data}`);
        events.push(event);
        lastId = id;
      },
      onError: (error) => faults.push(`The parser says: ${error.message}`),
    });
    let tail = frameEnd;
    const onBody = (bytes: Buffer): void => {
      const text = decoder.decode(bytes, { stream: true });
      tail = (tail + text).slice(-2);
      parser.feed(text);
    };
    const lastEventId = resumeFrom(events, lastId);
    const opened = await openRawStream({
      port: port(),
      path: after === undefined ? '/events' : `/events?after=${after}`,
      headers: { ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      onBody,
    }).catch(() => undefined);
    // The server is down, or was killed before its response.
    if (!opened) return 'refused';
    stream = opened;
    if (stream.status === 200) streams += 1;
    firstId ??= stream.headers.get('last-event-id') ?? undefined;
    lastId ??= firstId;
    const ended = await stream.ended;
    stream.close();
    // From the service, or from a balancer that reaches no process.
    if (stream.status > 500) return 'refused';
    if (stream.status !== 200) faults.push(`GET /events got status ${stream.status}.`);
    const isBetween = [frameEnd, comment].includes(tail);
    if (ended === 'complete' && !isBetween) faults.push('A stream was ended within a frame.');
    if (ended === 'complete') return 'complete';
    return isBetween ? 'between frames' : 'within a frame';
  };
  const follow = async (): Promise<void> => {
    while (!isOver) {
      const end = await readStream();
      ends.push(end);
      if (end === 'refused') await sleep(pauseMs);
    }
  };
  void follow();
  return {
    firstId: () => firstId,
    events,
    faults,
    count: (end) => ends.filter((one) => one === end).length,
    streams: () => streams,
    stop: () => {
      isOver = true;
      stream?.close();
    },
  };
};

const pauseMs = 20;

/** No line of an event ends as a comment does. */
const frameEnd = '\n\n';
const comment = ':\n';
