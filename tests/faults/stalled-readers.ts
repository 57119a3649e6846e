/**
 * Two hundred readers of the live log that read nothing, while plants are changed, and beside them hundreds that do not read large pages, the
 * script of the page and documents: the server disconnects all of them, memory is bounded, fifty others get everything, and
 * descriptors and memory are released. Meanwhile a stream with a revoked token ends, and one with an expired token. In the end clients upload
 * and read pictures slowly.
 *
 * A control comes first: the same readers read. What they make takes memory as well, of which Node and Deno return little: they let the young
 * generation of V8 grow to 128 and 64 MiB. So the bound is for what the readers that read nothing take beyond the most of the control.
 *
 *     bun tests/faults/stalled-readers.ts [--rounds 3]        a round takes most of a minute
 */
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from '../support/programs/process.ts';
import { followLive } from '../support/streams/live-reader.ts';
import { readLog } from '../support/streams/log-reader.ts';
import { openRawStream, type RawStream } from '../support/streams/raw-stream.ts';
import { openBodies } from './streaming/bodies.ts';
import { uploadSlowly } from './streaming/slow-pictures.ts';
import { endTokens } from './streaming/token-ends.ts';
import { comesTrue, lostMs } from './support/comes-true.ts';
import { createDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { descriptors, memoryMebibytes, peakMemoryMebibytes } from './support/usage.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds } = readOptions(3);
/** Half of them begin with old events, the others with new ones. */
const [stalled, others] = [200, 50];
/** An event has about two kilobytes, and the buffers of the system store about four megabytes for a reader. */
const name = '🌱'.repeat(500);
const changesAtOnce = 3000;
const disconnectedMsMax = 90_000;
const memoryMebibytesMax = 250;
/** The script once for most of its readers: Bun closes a connection with a request behind one that waits. */
const controlBytesMin = 2 ** 29;
/** A stop waits at most two seconds for a reader that reads nothing, and ten for other requests. */
const [stuckMs, stopMsMax] = [2000, 7000];
/** The connections of the writes, and of the checks of this trial. */
const descriptorsSpare = 20;

const { expect, expectPace, expectWithin, end } = createVerdict();
using folder = temporaryFolder();
const tokens = endTokens({ database: folder.file('tokens.sqlite'), expect, expectWithin });

const database = folder.file('plants.sqlite');
const headers = await createDatabase(database);
await using server = await startServer(database);
const { port, pid } = server;
let changes = 0;

const change = async (count: number): Promise<void> => {
  const create = async (): Promise<void> => {
    changes += 1;
    const body = JSON.stringify({ id: changes, name });
    const send = () => fetch(`${server.url}/plants`, { method: 'POST', headers, body });
    // The server may close an idle connection while it is used again. A create can be repeated.
    const { status } = await send().catch(send);
    expect(status === 200, `a create got status ${status}`);
  };
  for (let left = count; left > 0; left -= 10) await Promise.all(Array.from({ length: 10 }, create));
};

await change(changesAtOnce);
const script = /swagger-assets\/[^"]+\.js(?=")/.exec(await (await fetch(`${server.url}/swagger`)).text())?.[0];
/** Only the pages need a token. The script has more than 4 MiB, a page 1 MiB, and a document more than a hundred KiB. */
const bodies = [
  { path: '/plants?limit=1000', headers, connections: 100, requests: 10 },
  { path: `/${script}`, connections: 150, requests: 3 },
  ...['/openapi.json', '/openapi-3.0.json', '/openapi.yaml'].map((path) => ({ path, connections: 20, requests: 60 })),
];
for (const { path, headers = {} } of bodies) {
  const response = await fetch(`${server.url}${path}`, { headers });
  await response.arrayBuffer();
  expect(response.status === 200, `${path} got status ${response.status}`);
}
const [{ eventId: after } = { eventId: '' }] = await readLog({ url: server.url, headers });
const [memoryBefore, descriptorsBefore] = [memoryMebibytes(pid), descriptors(pid)];
const areClosed = (but: number): boolean => descriptors(pid) <= descriptorsBefore + but + descriptorsSpare;

const openStream = async (path: string, reads: boolean): Promise<RawStream> => {
  const stream = await openRawStream({ port, headers, path });
  if (!reads) stream.pause();
  return stream;
};

const openAll = async (reads: boolean) => {
  const streams: RawStream[] = [];
  for (let n = 0; n < stalled; n += 1)
    streams.push(await openStream(n % 2 === 0 ? '/events' : `/events?after=${after}`, reads));
  const sockets = (await Promise.all(bodies.map((one) => openBodies({ port, ...one, reads })))).flat();
  const close = (): void => {
    for (const stream of streams) stream.close();
    for (const socket of sockets) socket.destroy();
  };
  return { streams, sockets, close };
};

const control = await openAll(true);
await change(changesAtOnce);
const controlBytes = (): number => control.sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
expect(
  await comesTrue(() => controlBytes() > controlBytesMin, controlBytes),
  `the control has read ${controlBytes()} bytes`,
);
control.close();
expect(await comesTrue(() => areClosed(0)), `${descriptors(pid)} descriptors after the control`);
const memoryOfControl = peakMemoryMebibytes(pid);
let slowestMs = 0;

for (const round of rounds.each()) {
  const readers = Array.from({ length: others }, () => followLive({ port: () => port, headers, after }));
  const paused = await openAll(false);
  await change(changesAtOnce);
  const stalledAtMs = performance.now();
  while (!areClosed(others) && performance.now() - stalledAtMs < disconnectedMsMax + lostMs) {
    await change(10);
    await Bun.sleep(50);
  }
  expect(areClosed(others), `${descriptors(pid)} descriptors: readers that read nothing are not disconnected`);
  slowestMs = Math.max(slowestMs, performance.now() - stalledAtMs);
  expectWithin(disconnectedMsMax, 'the end of streams that are not read', { fromMs: stalledAtMs });

  const log = (await readLog({ url: server.url, headers })).slice(1);
  const haveAll = (): boolean => readers.every(({ events }) => events.at(-1)?.sequence === log.at(-1)?.sequence);
  const read = (): number => readers.reduce((sum, { events }) => sum + events.length, 0);
  await comesTrue(haveAll, read);
  for (const { events, faults, streams, stop } of readers) {
    expect(Bun.deepEquals(events, log), 'a reader beside those that stall has another log');
    expect(streams() === 1, 'a reader beside those that stall was disconnected');
    for (const fault of faults) expect(false, fault);
    stop();
  }
  for (const stream of paused.streams) stream.resume();
  const cut = Promise.all(paused.streams.map(async ({ ended }) => (await ended) === 'cut'));
  const areCut = await Promise.race([cut, Bun.sleep(lostMs)]);
  expect(areCut?.every(Boolean) === true, 'a stream that was not read is still open, or has a last chunk');
  paused.close();
  expect(await comesTrue(() => areClosed(0)), `${descriptors(pid)} descriptors after ${descriptorsBefore}`);
  console.error(`round ${round}: ${Math.round(memoryMebibytes(pid))} MiB`);
}
const memoryMost = peakMemoryMebibytes(pid);
const more = Math.round(memoryMost - memoryOfControl);
expectPace(more < memoryMebibytesMax, `${more} MiB more than with readers that read`);
const memoryAfter = memoryMebibytes(pid);
await openStream(`/events?after=${after}`, false);
await Bun.sleep(stuckMs);
const stoppedAtMs = performance.now();
server.kill('SIGTERM');
expect((await server.exited) === 0, 'it did not stop in order');
const stopMs = performance.now() - stoppedAtMs;
expectWithin(stopMsMax, 'a stop beside a reader that reads nothing', {
  fromMs: stoppedAtMs,
  toMs: stoppedAtMs + stopMs,
});

console.table(await tokens);
const pictures = { database: folder.file('pictures.sqlite'), expect, expectPace, expectWithin };
console.table(await uploadSlowly(pictures));
end({
  rounds: rounds.count(),
  'stalled readers': stalled,
  'readers of bodies': bodies.reduce((sum, { connections }) => sum + connections, 0),
  'other readers': others,
  changes,
  'disconnected after, s at most': Math.round(slowestMs / 1000),
  'MiB before': Math.round(memoryBefore),
  'MiB of the control': Math.round(memoryOfControl),
  'MiB at most': Math.round(memoryMost),
  'MiB after': Math.round(memoryAfter),
  'stop, ms': Math.round(stopMs),
});
