/**
 * Clients that occupy the server: a thousand idle connections, clients that request large responses and read
 * nothing, and clients that send a byte at a time. Meanwhile other clients get prompt responses, memory stays bounded, clients
 * that send too slowly are disconnected, and afterwards the server has no more descriptors open than before.
 *
 *     bun tests/faults/clients.ts [--rounds 5]
 */
import { connect, type Socket } from 'node:net';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { comesTrue, lostMs } from './support/comes-true.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { descriptors, memoryMebibytes } from './support/usage.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds } = readOptions(5);
const [idleClients, slowReaders, scriptReaders, slowWriters] = [1000, 50, 200, 200];
/** The number of responses of about 600 KB that a slow reader requests. */
const answersUnread = 20;
const plants = 1000;
const promptMsMax = 1000;
const memoryMebibytesMax = 256;
/** A request that is incomplete after 15 seconds is dropped. The server checks this every four seconds. */
const droppedMsMax = 25_000;

using folder = temporaryFolder();
const database = folder.file('plants.sqlite');
const headers = await createDatabase(database);
const authorization = `Authorization: ${headers['authorization']}\r\n`;
const acknowledged = new Set<number>();
let nextId = 1;
let slowestMs = 0;

const { expect, expectPace, expectWithin, end } = createVerdict();

const create = async ({ url }: RunningServer): Promise<void> => {
  const id = nextId;
  nextId += 1;
  const body = `{"id":${id},"name":"${'n'.repeat(500)}"}`;
  const sentAtMs = performance.now();
  const response = await fetch(`${url}/plants`, { method: 'POST', headers, body, signal: AbortSignal.timeout(lostMs) });
  slowestMs = Math.max(slowestMs, performance.now() - sentAtMs);
  expectWithin(promptMsMax, 'a create', { fromMs: sentAtMs });
  expect(response.status === 200, `a create got status ${response.status}`);
  if (response.status === 200) acknowledged.add(id);
};

const open = (server: RunningServer, count: number): Promise<Socket[]> =>
  Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket: Socket = connect(server.port, '127.0.0.1', () => resolve(socket));
          socket.on('error', reject);
        }),
    ),
  );

/** Expects that the server closes all of these, and in time. */
const expectDropped = async (sockets: readonly Socket[]): Promise<void> => {
  const openedAtMs = performance.now();
  let closed = 0;
  for (const socket of sockets)
    socket.once('close', () => {
      closed += 1;
      expectWithin(droppedMsMax, 'a slow writer', { fromMs: openedAtMs });
    });
  expect(
    await comesTrue(
      () => closed === sockets.length,
      () => closed,
    ),
    'slow writers were not dropped',
  );
};

await using server = await startServer(database);
for (let n = 0; n < plants; n += 1) await create(server);
const script = /swagger-assets\/[^"]+\.js(?=")/.exec(await (await fetch(`${server.url}/swagger`)).text())?.[0];
const memoryBefore = memoryMebibytes(server.pid);
const descriptorsBefore = descriptors(server.pid);
let memoryMost = 0;

for (const round of rounds.each()) {
  const idle = await open(server, idleClients);
  const readers = await open(server, slowReaders);
  for (const reader of readers) {
    reader.pause();
    reader.write(`GET /plants?limit=1000 HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n`.repeat(answersUnread));
  }
  // They need no token: more than 4 MiB each, decompressed.
  const strangers = await open(server, scriptReaders);
  for (const stranger of strangers) {
    stranger.pause();
    stranger.write(`GET /${script} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }
  const writers = await open(server, slowWriters);
  for (const [n, writer] of writers.entries()) {
    writer.on('error', () => {});
    writer.write(n % 2 === 0 ? 'POST /plants HT' : `POST /plants HTTP/1.1\r\nHost: localhost\r\n${authorization}`);
  }
  const dropped = expectDropped(writers);
  const dripping = setInterval(() => {
    for (const writer of writers) if (writer.writable) writer.write('x');
  }, 1000);
  for (let n = 0; n < 200; n += 1) {
    await create(server);
    memoryMost = Math.max(memoryMost, memoryMebibytes(server.pid));
    await Bun.sleep(10);
  }
  await dropped;
  clearInterval(dripping);
  for (const socket of [...idle, ...readers, ...strangers, ...writers]) socket.destroy();
  expect(
    await comesTrue(() => descriptors(server.pid) <= descriptorsBefore + 5),
    `${descriptors(server.pid)} descriptors after ${descriptorsBefore}`,
  );
  memoryMost = Math.max(memoryMost, memoryMebibytes(server.pid));
  console.error(`round ${round}: ${Math.round(memoryMebibytes(server.pid))} MiB`);
}
expectPace(memoryMost < memoryBefore + memoryMebibytesMax, `${Math.round(memoryMost)} MiB of memory`);
server.kill('SIGTERM');
expect((await server.exited) === 0, 'it did not stop in order');
const { isWhole, plants: kept } = inspectDatabase(database);
expect(isWhole && [...acknowledged].every((id) => kept.has(id)), 'acknowledged plants are lost');

end({
  rounds: rounds.count(),
  'idle connections': idleClients,
  'slow readers': slowReaders,
  'readers of the script': scriptReaders,
  'slow writers': slowWriters,
  creates: acknowledged.size,
  'slowest, ms': Math.round(slowestMs),
  'MiB before': Math.round(memoryBefore),
  'MiB at most': Math.round(memoryMost),
});
