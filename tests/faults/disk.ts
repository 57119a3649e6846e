/**
 * A full disk, a read-only disk, and too few file descriptors. A write to the full disk is refused with
 * 50300, reads succeed, and writes succeed within five seconds once there is space. A database that cannot be
 * written is refused at the start. Connections beyond the limit wait or are refused, and do not affect existing ones.
 * All acknowledged writes are present afterwards.
 *
 *     bun tests/faults/disk.ts [--rounds 10]        a round fills the disk, and the descriptors, once
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, startServer, underTest } from '../support/programs/process.ts';
import { lostMs } from './support/comes-true.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions, skip, skipWithout } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds } = readOptions(10);
skipWithout('prlimit');

const resumedMsMax = 5000;
const answeredMsMax = 2000;
/** How long a request waits where a response is not owed. */
const unansweredMs = 2000;
const [descriptors, connections] = [128, 300];

using folder = temporaryFolder();
const disk = folder.file('disk');
mkdirSync(disk);

const mount = (...args: string[]): boolean => Bun.spawnSync(['mount', ...args], { stderr: 'ignore' }).success;
const unmount = (): void => void Bun.spawnSync(['umount', '--lazy', disk], { stderr: 'ignore' });
const resize = (mebibytes: number): boolean => mount('-o', `remount,size=${mebibytes}m`, disk);
if (!mount('-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk)) skip('a file system cannot be mounted here');
process.on('exit', unmount);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const database = `${disk}/plants.sqlite`;
const headers = await createDatabase(database);
const name = 'n'.repeat(500);
const acknowledged = new Set<number>();
let nextId = 1;
const { expect, expectWithin, end } = createVerdict();

const unanswered = 'not at all';

/** Creates a plant and resolves to the result: `200`, or the status and the number of the error. */
const create = async ({ url }: RunningServer, waitMs = lostMs): Promise<string> => {
  const id = nextId;
  nextId += 1;
  const body = `{"id":${id},"name":"${name}"}`;
  const signal = AbortSignal.timeout(waitMs);
  const sentAtMs = performance.now();
  const response = await fetch(`${url}/plants`, { method: 'POST', headers, body, signal }).catch(() => undefined);
  if (!response) return unanswered;
  expectWithin(answeredMsMax, 'a response', { fromMs: sentAtMs });
  if (response.status === 200) acknowledged.add(id);
  const { error }: { error?: number } = JSON.parse(await response.text());
  return error === undefined ? `${response.status}` : `${response.status} ${error}`;
};
const canRead = async ({ url }: RunningServer): Promise<boolean> => (await fetch(`${url}/plants`, { headers })).ok;

/** Whether the file has all acknowledged writes and is intact. */
const judge = (what: string): void => {
  const { isWhole, isLogTrue, plants } = inspectDatabase(database);
  expect(isWhole && isLogTrue, `${what}: the file is damaged`);
  expect(
    [...acknowledged].every((id) => plants.has(id)),
    `${what}: acknowledged plants are lost`,
  );
};

const fillDisk = async (mebibytes: number): Promise<number> => {
  await using server = await startServer(database);
  let answer = '200';
  while (answer === '200') answer = await create(server);
  expect(answer === '503 50300', `full: a create got ${answer}`);
  for (let n = 0; n < 20; n += 1) {
    expect(await canRead(server), 'full: a read failed');
    expect((await create(server)) === '503 50300', 'full: a create got another result');
  }
  if (!resize(mebibytes)) throw new Error('The disk cannot be made larger.');
  const roomAtMs = performance.now();
  answer = await create(server);
  while (answer !== '200' && performance.now() < roomAtMs + lostMs) {
    await Bun.sleep(10);
    answer = await create(server);
  }
  const resumedMs = performance.now() - roomAtMs;
  expect(answer === '200', `full: a create got ${answer} although there was room`);
  expectWithin(resumedMsMax, 'full: the first write after there was room', { fromMs: roomAtMs });
  server.kill('SIGKILL');
  await server.exited;
  judge('full');
  return resumedMs;
};

const startReadOnly = async (): Promise<string> => {
  const before = readFileSync(database);
  if (!mount('-o', 'remount,ro', disk)) throw new Error('The disk cannot be made read-only.');
  const said = await startServer(database).then(
    (server) => server[Symbol.asyncDispose]().then(() => 'it has started'),
    ({ message }: Error) => message,
  );
  mount('-o', 'remount,rw', disk);
  const reason = /^exited with 1 .*"plant-store: ([^"\n]+)"/.exec(said)?.[1];
  expect(reason !== undefined, `read-only: ${said}`);
  expect(readFileSync(database).equals(before), 'read-only: the file was changed');
  return reason ?? said;
};

const useUpDescriptors = async (): Promise<void> => {
  const program = ['prlimit', `--nofile=${descriptors}`, '--', ...underTest];
  await using server = await startServer(database, { program });
  expect((await create(server)) === '200', 'descriptors: a create failed before');
  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<Socket>((resolve) => {
          const socket: Socket = connect(server.port, '127.0.0.1', () => resolve(socket));
          socket.on('error', () => resolve(socket));
        }),
    ),
  );
  // The client keeps its connection open, so it has one of the existing connections.
  const answer = await create(server);
  for (const socket of sockets) socket.destroy();
  expect(answer === '200', `descriptors: a create got ${answer}`);
  await Bun.sleep(100);
  expect((await create(server)) === '200', 'descriptors: a create failed after');
  expect(await canRead(server), 'descriptors: a read failed after');
  server.kill('SIGTERM');
  expect((await server.exited) === 0, 'descriptors: the server did not stop in order');
  judge('descriptors');
};

/** A start with very few descriptors: it fails and changes nothing, or it serves. */
const startWithFewDescriptors = async (): Promise<void> => {
  for (let few = 4; few <= 20; few += 1) {
    const before = readFileSync(database);
    const program = ['prlimit', `--nofile=${few}`, '--', ...underTest];
    const server = await startServer(database, { program }).catch(() => undefined);
    if (!server) {
      expect(readFileSync(database).equals(before), `${few} descriptors: it did not start, and has changed the file`);
      continue;
    }
    await using _ = server;
    const answer = await create(server, unansweredMs);
    // Without a descriptor for the connection there is no response.
    expect(['200', '503 50300', unanswered].includes(answer), `${few} descriptors: a create got ${answer}`);
    server.kill('SIGKILL');
    await server.exited;
    judge(`${few} descriptors`);
  }
};

let slowestMs = 0;
let reason = '';
for (const round of rounds.each()) {
  slowestMs = Math.max(slowestMs, await fillDisk(3 + 2 * round));
  reason = await startReadOnly();
  await useUpDescriptors();
  await startWithFewDescriptors();
  console.error(`round ${round}: ${acknowledged.size} plants acknowledged`);
}
console.log(`read-only: ${reason}`);
end({ rounds: rounds.count(), acknowledged: acknowledged.size, 'writes succeed after, ms': Math.round(slowestMs) });
