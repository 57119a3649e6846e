import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { pictureBytesMax } from '../../../src/base/app-error.ts';
import { requestSecondsMax } from '../../../src/http/server.ts';
import { heldBytesMax } from '../../../src/pictures/upload.ts';
import { pngOfBytes } from '../../support/pictures/pictures.ts';
import { type RunningServer, startServer } from '../../support/programs/process.ts';
import { openRawStream } from '../../support/streams/raw-stream.ts';
import { comesTrue } from '../support/comes-true.ts';
import { createDatabase } from '../support/database.ts';
import { measureTimes, type Times, toCells } from '../support/response-times.ts';
import { peakMemoryMebibytes } from '../support/usage.ts';
import type { Verdict } from '../support/verdict.ts';

interface SlowOptions extends Pick<Verdict, 'expect' | 'expectPace' | 'expectWithin'> {
  /** The path of a database that does not exist yet. */
  readonly database: string;
}

/** As many downloads as uploads. */
const clients = 200;
const quickAtOnce = 8;
/** So many bytes of each slow upload have come while others are measured: of all together more than a process holds. */
const sentBytes = pictureBytesMax / 2;
const [dripBytes, dripMs] = [1024, 250];
/** The first ones come while the slow clients begin, which all do at once. */
const [measuredMs, least] = [3000, 100];
const medianMsMax = 20;
/** A process holds 64 MiB of uploads and of responses each, and what it refuses until that is collected as garbage. */
const memoryMebibytesMax = 250;

const createPicture = () => pngOfBytes(pictureBytesMax, randomBytes(pictureBytesMax));
const [before, after] = [createPicture(), createPicture()];

/**
 * 200 clients upload a picture of the largest size slowly, and 200 others ask for such pictures and read nothing for a while. What they take
 * beyond quick clients, which come first as a control, is bounded. Others get a response within 20 ms, in the median. Uploads beyond what a
 * process holds are refused with 503 and change nothing, and all others are whole in the end. Resolves to rows.
 */
export const uploadSlowly = async ({ database, expect, expectPace, expectWithin }: SlowOptions) => {
  const headers = await createDatabase(database);
  await using server = await startServer(database);
  const ids = Array.from({ length: clients }, (_, index) => index + 1);
  await control(server, headers, ids, expect);
  const alone = await measureTimes({ server, headers, measuredMs, least, expect });
  const memoryOfControl = peakMemoryMebibytes(server.pid);

  const startedAtMs = performance.now();
  const slow = ids.map((id) => startUpload(server, headers, id));
  const readers = await Promise.all(ids.map((id) => startDownload(server, headers, id)));
  const fromMs = performance.now();
  const beside = await measureTimes({ server, headers, measuredMs, least, expect });
  const toMs = performance.now();
  for (const [kind, { medianMs }] of Object.entries<Times>(beside))
    expectWithin(medianMsMax, `the median ${kind} beside slow pictures`, { fromMs, toMs, ms: medianMs });
  const memoryMost = peakMemoryMebibytes(server.pid);
  const more = Math.round(memoryMost - memoryOfControl);
  expectPace(more < memoryMebibytesMax, `slow pictures take ${more} MiB more than quick ones`);

  const read = await Promise.all(readers.map(({ finish }) => finish()));
  const ends = Object.fromEntries(
    Map.groupBy(read, (end) => end)
      .entries()
      .map(([end, { length }]) => [end, length]),
  );
  expect(ends['torn'] === undefined, `${ends['torn']} slow downloads are not whole`);
  expect((ends['whole'] ?? 0) > 0, 'no slow download was done');
  expect((ends['refused'] ?? 0) > 0, 'no slow download was refused, though all together are more than a process holds');
  const held = slow.filter(({ status }) => status() === undefined).length;
  expect(held > 0 && held * sentBytes <= heldBytesMax, `${held} uploads are held`);
  for (const { finish } of slow) finish();
  const over = (): number => slow.filter(({ isOver }) => isOver()).length;
  expect(await comesTrue(() => over() === clients, over), 'a slow upload has no end');
  const seconds = (performance.now() - startedAtMs) / 1000;
  const isAnswered = slow.every(({ status }) => status() !== undefined);
  // A busy machine may take so long that the connections are closed.
  const isLate = seconds >= requestSecondsMax && !isAnswered;
  expect(isAnswered || isLate, 'a slow upload has no response');
  expectPace(!isLate, `the slow uploads took ${Math.round(seconds)} s, and a request may take ${requestSecondsMax}`);
  const statuses: Record<string, number> = {};
  for (const { id, status } of slow) {
    const answer = status() ?? 0;
    statuses[answer] = (statuses[answer] ?? 0) + 1;
    expect([204, 503, ...(isLate ? [0] : [])].includes(answer), `a slow upload got status ${answer}`);
    const read = await fetch(`${server.url}/plants/${id}/picture`, { headers });
    const content = Buffer.from(await read.arrayBuffer());
    const possible = { 204: [after], 503: [before] }[answer] ?? [before, after];
    const isRight = possible.some((picture) => content.equals(picture));
    expect(isRight, `plant ${id} has another picture after status ${answer}`);
  }
  expect(isLate || (statuses[204] ?? 0) > 0, 'no slow upload was done');
  const memory = (mebibytes: number) => ({ 'MiB at most': Math.round(mebibytes) });
  return [
    { pictures: 'quick, the control', ...toCells(alone), ...memory(memoryOfControl) },
    { pictures: 'slow', ...toCells(beside), ...memory(memoryMost), ...ends, 'uploads held': held, ...statuses },
  ];
};

type Headers = Readonly<Record<string, string>>;

/** Creates the plants, and uploads and reads a picture of each as quickly as possible. */
const control = async ({ url }: RunningServer, headers: Headers, ids: readonly number[], expect: Verdict['expect']) => {
  const waiting = ids.values();
  const work = async (): Promise<void> => {
    for (const id of waiting) {
      const created = await fetch(`${url}/plants`, { method: 'POST', headers, body: `{"id":${id},"name":"n"}` });
      const own = { ...headers, 'content-type': 'image/png' };
      const put = await fetch(`${url}/plants/${id}/picture`, { method: 'PUT', headers: own, body: before });
      expect(created.status === 200 && put.status === 201, `plant ${id}: ${created.status} and ${put.status}`);
    }
  };
  await Promise.all(Array.from({ length: quickAtOnce }, work));
  const read = ids.map(async (id) => (await fetch(`${url}/plants/${id}/picture`, { headers })).arrayBuffer());
  await Promise.all(read);
};

/** Asks for a picture, and reads it only when it is finished. */
const startDownload = async ({ port }: RunningServer, headers: Headers, id: number) => {
  const pieces: Buffer[] = [];
  const path = `/plants/${id}/picture`;
  const stream = await openRawStream({ port, headers, path, onBody: (bytes) => pieces.push(Buffer.from(bytes)) });
  stream.pause();
  return {
    finish: async (): Promise<'whole' | 'torn' | 'refused'> => {
      stream.resume();
      const end = await stream.ended;
      stream.close();
      if (stream.status === 503) return 'refused';
      return end === 'complete' && Buffer.concat(pieces).equals(before) ? 'whole' : 'torn';
    },
  };
};

/** Sends a part of the picture at once, and then a kilobyte at a time. */
const startUpload = ({ port }: RunningServer, headers: Headers, id: number) => {
  let [text, at] = ['', sentBytes];
  const socket: Socket = connect(port, '127.0.0.1');
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-type': 'image/png' });
  const fields = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`PUT /plants/${id}/picture HTTP/1.1\r\n${fields}content-length: ${after.length}\r\n\r\n`);
  socket.write(after.subarray(0, sentBytes));
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const dripping = setInterval(() => {
    socket.write(after.subarray(at, at + dripBytes));
    at += dripBytes;
  }, dripMs);
  return {
    id,
    /** Of the response. Undefined until it arrives. */
    status: (): number | undefined => {
      const [, status] = /^HTTP\/1.1 (\d{3})/.exec(text) ?? [];
      return status === undefined ? undefined : Number(status);
    },
    /** Whether it has a response, or the connection is closed. */
    isOver: (): boolean => text !== '' || socket.closed,
    finish: (): void => {
      clearInterval(dripping);
      socket.write(after.subarray(at));
    },
  };
};
