/** The process of the readers in `crowd.ts`. They look only at the ids of events, so that they can read a million per second. */
import { openRawStream, type RawStream } from '../../support/streams/raw-stream.ts';
import { comesTrue } from '../support/comes-true.ts';
import type { CrowdAnswer, CrowdCommand, CrowdEnds, CrowdOptions } from './crowd.ts';

let events = 0;
let reconnects = 0;
const faults: string[] = [];
const arrivals: [number, number][] = [];
const readers: Reader[] = [];

interface Reader {
  sequence(): number;
  readonly ended: Promise<keyof CrowdEnds>;
}

/** The text before the sequence in the data of an event. */
const beforeSequence = Buffer.from('"eventId":"evt_');
const idOffset = '"eventId":"'.length;
const frameEnd = Buffer.from('\n\n');
const empty = Buffer.alloc(0);
const isComments = (bytes: Buffer): boolean => /^(?::\n)*$/.test(bytes.toString('latin1'));
const underscore = 0x5f;
const quote = 0x22;

/** Follows the log over one connection, and over the next one when it is closed, until the server has stopped. */
const startReader = async ({ port, headers, after, notesArrivals }: CrowdOptions): Promise<Reader> => {
  let { eventId: lastId, sequence } = after;
  let rest = empty;
  let lastEnd: keyof CrowdEnds = 'other';

  const read = (bytes: Buffer): void => {
    const all = Buffer.concat([rest, bytes]);
    const end = all.lastIndexOf(frameEnd);
    if (end < 0) {
      rest = all;
      return;
    }
    const atMs = performance.timeOrigin + performance.now();
    let lastAt = -1;
    for (let at = all.indexOf(beforeSequence); at >= 0 && at < end; at = all.indexOf(beforeSequence, at + 1)) {
      let found = 0;
      for (let digit = at + beforeSequence.length; all[digit] !== underscore; digit += 1)
        found = found * 10 + (all[digit] ?? 0) - 48;
      if (found !== sequence + 1) faults.push(`${found} came after ${sequence}`);
      sequence = found;
      events += 1;
      lastAt = at;
      if (notesArrivals) arrivals.push([found, atMs]);
    }
    if (lastAt >= 0) lastId = all.toString('latin1', lastAt + idOffset, all.indexOf(quote, lastAt + idOffset));
    rest = all.subarray(end + frameEnd.length);
  };
  const open = (): Promise<RawStream> => {
    rest = empty;
    const path = `/events?after=${lastId}`;
    return openRawStream({ port, path, headers, onBody: read });
  };
  const follow = async (first: RawStream): Promise<keyof CrowdEnds> => {
    for (let stream: RawStream | undefined = first; stream; ) {
      if (stream.status !== 200) faults.push(`GET /events got status ${stream.status}.`);
      lastEnd = (await stream.ended) === 'complete' && isComments(rest) ? 'complete' : 'other';
      stream.close();
      // The server has stopped if it accepts no connection.
      stream = await open().catch(() => undefined);
      if (stream) reconnects += 1;
    }
    return lastEnd;
  };
  let first = await open();
  // The server may not have noticed yet that an earlier stream was closed.
  while (first.status === 503) first = await open();
  return { sequence: () => sequence, ended: follow(first) };
};

const answer = (message: CrowdAnswer): void => void process.send?.(message);

process.on('message', async (message: CrowdCommand) => {
  if (message.command === 'open') {
    const { options } = message;
    for (let index = 0; index < options.streams; index += 1) readers.push(await startReader(options));
    answer({ answer: 'open' });
  }
  if (message.command === 'report') {
    const complete = () => readers.filter((reader) => reader.sequence() >= message.sequence).length;
    await comesTrue(
      () => complete() === readers.length,
      () => events,
    );
    const { user, system } = process.cpuUsage();
    const processorSeconds = (user + system) / 1_000_000;
    const report = {
      events,
      complete: complete(),
      reconnects,
      processorSeconds,
      faults: faults.slice(0, 10),
      arrivals,
    };
    answer({ answer: 'report', report });
  }
  if (message.command === 'end') {
    const ends = await Promise.all(readers.map(({ ended }) => ended));
    const complete = ends.filter((end) => end === 'complete').length;
    answer({ answer: 'end', ends: { complete, other: ends.length - complete } });
  }
});
