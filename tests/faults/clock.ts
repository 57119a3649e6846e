/**
 * Pauses the process and continues it (SIGSTOP, SIGCONT), and sets its clock forward and back (libfaketime), while clients
 * create plants and a webhook is sent. No request hangs, a token expires by the wall clock, however that is set,
 * and every event is delivered.
 *
 *     bun tests/faults/clock.ts [--rounds 10] [--seed 1]
 */
import { existsSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../support/folder.ts';
import { runProgram, startServer } from '../support/programs/process.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';
import { comesTrue, lostMs } from './support/comes-true.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions, skip } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(10);
const libraries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketimeMT.so.1`);
const library = libraries.find((path) => existsSync(path)) ?? skip('libfaketime is not installed');

const clients = 16;
const pauseMs = 2000;
const stuckMs = 10_000;
const hourSeconds = 3600;
/** Where the clock is set in each round, in hours from the true time. */
const hoursOn = [2, -24, 0, 24, 0.5, -2, 0];

using folder = temporaryFolder();
const [database, offsetFile] = [folder.file('plants.sqlite'), folder.file('offset')];
/** The clock of the server, in seconds before or after the true one. */
const setClock = (seconds: number): void => writeFileSync(offsetFile, `${seconds < 0 ? '' : '+'}${seconds}`);
setClock(0);
const headers = await createDatabase(database);
const created = await runProgram(['token', 'create', '--name', 'hour', '--expires', '1h', '--database', database]);
const ofAnHour = { authorization: `Bearer ${created.stdout.trim()}` };
const env = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: offsetFile,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
};
using receiver = createReceiver();
await runProgram(['webhook', 'add', receiver.url, '--database', database], { env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });

const { expect, expectWithin, end } = createVerdict();

await using server = await startServer(database, { env });
const acknowledged = new Set<number>();
let nextId = 1;
let isOver = false;
let slowestMs = 0;

const change = async (): Promise<void> => {
  while (!isOver) {
    const id = nextId;
    nextId += 1;
    const sentAtMs = performance.now();
    const body = `{"id":${id},"name":"n"}`;
    const signal = AbortSignal.timeout(lostMs);
    const response = await fetch(`${server.url}/plants`, { method: 'POST', headers, body, signal });
    slowestMs = Math.max(slowestMs, performance.now() - sentAtMs);
    expectWithin(stuckMs, 'a create', { fromMs: sentAtMs });
    expect(response.status === 200, `a create got status ${response.status}`);
    acknowledged.add(id);
    await Bun.sleep(20 * random());
  }
};
const working = Promise.all(Array.from({ length: clients }, change)).catch((error: unknown) => {
  expect(false, `a request got stuck: ${error}`);
});

const statusOfAnHour = async (): Promise<number> => (await fetch(`${server.url}/token`, { headers: ofAnHour })).status;

/** Sets the clock and checks a token that is valid for an hour: it is valid until its expiry time, also before its creation time. */
const jump = async (hours: number): Promise<void> => {
  setClock(hours * hourSeconds);
  const status = await statusOfAnHour();
  expect(status === (hours < 1 ? 200 : 401), `${hours} hours on, the token of an hour got status ${status}`);
};

for (const round of rounds.each()) {
  for (const hours of hoursOn) {
    await jump(hours);
    await Bun.sleep(100 * random());
  }
  process.kill(server.pid, 'SIGSTOP');
  await Bun.sleep(pauseMs);
  process.kill(server.pid, 'SIGCONT');
  await Bun.sleep(500);
  console.error(`round ${round}: ${acknowledged.size} plants acknowledged`);
}
isOver = true;
await working;

const delivered = (): Set<unknown> => new Set(receiver.received.map(({ body }) => JSON.parse(body).id));
await comesTrue(
  () => delivered().size >= acknowledged.size,
  () => receiver.received.length,
);
const undelivered = [...acknowledged].filter((id) => !delivered().has(id)).length;
expect(undelivered === 0, `${undelivered} plants were not delivered`);
server.kill('SIGTERM');
expect((await server.exited) === 0, 'it did not stop in order');
const { isWhole, isLogTrue, plants } = inspectDatabase(database);
expect(isWhole && isLogTrue && [...acknowledged].every((id) => plants.has(id)), 'acknowledged plants are lost');

end({
  'stops of 2 s': rounds.count(),
  'jumps of the clock': hoursOn.length * rounds.count(),
  acknowledged: acknowledged.size,
  'slowest, ms': Math.round(slowestMs),
  undelivered,
});
