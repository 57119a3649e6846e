/**
 * All kinds of requests for half an hour, while webhooks are sent and old events are removed. After a while memory,
 * descriptors and the log of SQLite must not grow.
 *
 *     bun tests/faults/soak.ts [--rounds 30] [--seed 1]        a round is a minute
 */
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { concurrencyMax } from '../../src/sender/throttle.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runProgram, startServer } from '../support/programs/process.ts';
import { createReceiver, taken } from '../support/webhooks/receiver.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { kindsOfDescriptors, memoryMebibytes } from './support/usage.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, seconds, random } = readOptions(30);
const runSeconds = seconds ?? 60 * rounds.max;
const { expect, expectPace, expectWithin, end } = createVerdict();
const clients = 32;
const plants = 5000;
const sampleMs = 1000;
/** More than the noise of the garbage collector. */
const growthMebibytesMax = 32;
const logMebibytesMax = 64;

using folder = temporaryFolder();
const database = folder.file('plants.sqlite');
const headers = await createDatabase(database);
const env = { WEBHOOK_ALLOW_PRIVATE: 'true', EVENT_RETENTION: '60s' };
let delivered = 0;
using receiver = createReceiver(() => {
  // Messages are counted and not stored: the receiver must not grow either.
  delivered += 1;
  receiver.received.length = 0;
  return taken();
});
await runProgram(['webhook', 'add', receiver.url, '--database', database], { env });
await using server = await startServer(database, { env });
const idleSockets = kindsOfDescriptors(server.pid).sockets;

const counts = new Map<number, number>();
let isOver = false;

const ask = async (): Promise<void> => {
  const id = 1 + Math.floor(plants * random());
  const name = `n${Math.floor(1e9 * random())}`;
  const [method, path, body] = (
    [
      ['GET', `/plants/${id}`],
      ['GET', '/plants?limit=100'],
      ['GET', '/events?limit=100'],
      ['POST', '/plants', `{"id":${id},"name":"${name}","tag":"t${id % 7}"}`],
      ['POST', '/plants', `{"id":${id},"name":"${name}"`],
      ['PATCH', `/plants/${id}`, `{"name":"${name}"}`],
      ['DELETE', `/plants/${id}`],
      ['GET', `/plants?tag=t${id % 7}&limit=10`],
    ] as const
  )[Math.floor(8 * random())] ?? ['GET', '/token'];
  const response = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) });
  await response.text();
  counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
};
const working = Promise.all(
  Array.from({ length: clients }, async () => {
    while (!isOver) await ask();
  }),
);

interface Sample {
  readonly memory: number;
  readonly sockets: number;
  /** The other descriptors. */
  readonly files: number;
  readonly log: number;
}
const samples: Sample[] = [];
const mebibyte = 1024 ** 2;
for (let second = 1; second <= runSeconds; second += 1) {
  await Bun.sleep(sampleMs);
  const { sockets, others } = kindsOfDescriptors(server.pid);
  const sample: Sample = {
    memory: memoryMebibytes(server.pid),
    sockets,
    files: others,
    log: statSync(`${database}-wal`).size / mebibyte,
  };
  samples.push(sample);
  if (second % 60 === 0)
    console.error(`minute ${second / 60}: ${Math.round(sample.memory)} MiB, ${sockets} sockets, ${others} files`);
}
isOver = true;
await working;
server.kill('SIGTERM');
const exitCode = await server.exited;
const { isWhole } = inspectDatabase(database);
using client = new Database(database, { readonly: true });
const oldest = client.query<{ timestamp: string }, []>('SELECT timestamp FROM events ORDER BY sequence LIMIT 1').get();
const oldestMs = Date.now() - Date.parse(oldest?.timestamp ?? '');

/** The median of the measurements in a part of the run. */
const middle = (of: keyof Sample, from: number, to: number): number => {
  const values = samples.slice(samples.length * from, samples.length * to).map((sample) => sample[of]);
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
};
const [memoryBefore, memoryAfter] = [middle('memory', 1 / 3, 2 / 3), middle('memory', 2 / 3, 1)];
const [socketsBefore, socketsAfter] = [middle('sockets', 1 / 3, 2 / 3), middle('sockets', 2 / 3, 1)];
const [filesBefore, filesAfter] = [middle('files', 1 / 3, 2 / 3), middle('files', 2 / 3, 1)];
const logMost = Math.max(...samples.map(({ log }) => log));
expectPace(memoryAfter < memoryBefore + growthMebibytesMax, 'memory grows');
// The requests to the webhook become more until their maximum, on a busy machine for longer than a minute.
const connectionsMax = clients + concurrencyMax;
expectPace(socketsAfter <= Math.max(socketsBefore, idleSockets + connectionsMax), 'connections are lost');
expectPace(filesAfter <= filesBefore, 'descriptors are lost');
expectPace(logMost < logMebibytesMax, 'the log grows');
// Events are kept for a minute, and pruned each minute.
expectWithin(4 * 60_000, 'the removal of an event', { fromMs: performance.now() - oldestMs });
expect(
  [...counts.keys()].every((status) => [200, 204, 400, 404, 409].includes(status)),
  'a response has another status',
);
expect(delivered > 0, 'no webhook was sent');
expect(isWhole, 'the file is damaged');
expect(exitCode === 0, 'it did not stop in order');
console.log(`responses by status: ${JSON.stringify(Object.fromEntries(counts))}`);
end({
  seconds: runSeconds,
  answers: [...counts.values()].reduce((sum, count) => sum + count, 0),
  messages: delivered,
  'MiB, second third': Math.round(memoryBefore),
  'MiB, last third': Math.round(memoryAfter),
  'sockets, second third': socketsBefore,
  'sockets, last third': socketsAfter,
  'files, second third': filesBefore,
  'files, last third': filesAfter,
  'MiB of log at most': Math.round(logMost),
  'oldest event, s': Math.round(oldestMs / 1000),
});
