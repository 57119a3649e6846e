/**
 * A PostgreSQL server that fails repeatedly, in many ways, while clients create, read, change and remove plants, and
 * revoke tokens. All responses are recorded: for each plant there must be an order of its requests that explains them, the log of events must
 * be gapless and give the same plants, and each time the service must be ready two seconds after the database. In the end it
 * is the same process, of the same size.
 *
 *     bun tests/faults/postgres.ts [--rounds 150] [--seed 1]        a round is one fault
 */
import { SQL } from 'bun';
import { startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { startProxy } from '../support/postgres/proxy.ts';
import { programName, runProgram, startServer } from '../support/programs/process.ts';
import { promisedMs } from '../support/promised.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase } from './support/database.ts';
import { countsOf, expectExplained, stopInOrder } from './support/load-verdict.ts';
import { createLongest } from './support/longest.ts';
import { readOptions } from './support/options.ts';
import { descriptors, memoryMebibytes } from './support/usage.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, seconds, random } = readOptions(150);
/** More than the noise of the garbage collector. That of Node and Deno lets the heap grow until memory is short. */
const growthMebibytesMax = /^(?:deno|node)/.test(programName) ? 160 : 32;
const awayMsMax = 7000;
const heldMsMax = 3000;
/** How long the next fault waits after one that leaves the database available. */
const betweenMsMax = 1000;

await using postgres = await startPostgres();
/** A session of a superuser that does not go through the proxy. A new one each time, since the server may have been down. */
const asAdmin = async (statement: string): Promise<void> => {
  await using sql = new SQL(postgres.url, { max: 1 });
  await sql.unsafe(statement);
};
const set = async (name: string, value: string): Promise<void> => {
  await asAdmin(`ALTER SYSTEM SET ${name} = '${value}'`);
  await asAdmin('SELECT pg_reload_conf()');
};
await asAdmin('CREATE ROLE app LOGIN; GRANT ALL ON SCHEMA public TO app');
const direct = postgres.url.replace('plant@', 'app@');
await using proxy = await startProxy(direct);
const headers = await createDatabase(direct);
await using server = await startServer(proxy.url);
const { expect, expectPace, expectWithin, end } = createVerdict();

interface Fault {
  readonly leave: () => unknown;
  /** Absent if the database is available immediately. */
  readonly comeBack?: () => unknown;
}

/** Breaks the connection at the next statement of this form. Resolves once nothing is held back any more. */
const breakAt = (how: 'before' | 'after' | 'hold' | 'running') => async (): Promise<void> => {
  const { release } = await proxy.breakAt(random() < 0.5 ? /^COMMIT/ : /INTO plants/, how);
  if (how === 'hold') await Bun.sleep(heldMsMax * random());
  void release();
};

const faults: Readonly<Record<string, Fault>> = {
  frozen: { leave: postgres.freeze, comeBack: postgres.thaw },
  killed: { leave: postgres.kill, comeBack: () => postgres.start() },
  stopped: { leave: postgres.stop, comeBack: () => postgres.start() },
  refused: { leave: proxy.refuse, comeBack: proxy.accept },
  cut: { leave: proxy.cut },
  forgotten: { leave: proxy.forget },
  'cut before COMMIT': { leave: breakAt('before') },
  'cut after COMMIT': { leave: breakAt('after') },
  'COMMIT comes late': { leave: breakAt('hold') },
  'cut during COMMIT': { leave: breakAt('running') },
  'sessions ended': {
    leave: () => asAdmin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'"),
  },
  'no connection left': {
    leave: async () => {
      await asAdmin('ALTER ROLE app CONNECTION LIMIT 0');
      proxy.cut();
    },
    comeBack: () => asAdmin('ALTER ROLE app CONNECTION LIMIT -1'),
  },
  'read-only': {
    leave: () => set('default_transaction_read_only', 'on'),
    comeBack: () => set('default_transaction_read_only', 'off'),
  },
  'no standby': {
    leave: () => set('synchronous_standby_names', 'missing'),
    comeBack: () => set('synchronous_standby_names', ''),
  },
  slow: { leave: () => proxy.delay(50 + 700 * random()), comeBack: () => proxy.delay(0) },
};

const load = startLoad(
  (method, path, { headers: more, body }) =>
    fetch(server.url + path, { method, headers: { ...headers, ...more }, ...(body !== undefined && { body }) }),
  {
    clients: 24,
    plants: 1000,
    random,
    pauseMs: 5,
    onResponse: (time) => expectWithin(promisedMs.answered, 'a response', time),
  },
);

const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
let probes = 1_000_000;
const canCreate = async (): Promise<boolean> => {
  probes += 1;
  return (await fetch(`${server.url}/plants`, { method: 'POST', headers, body: `{"id":${probes},"name":"n"}` })).ok;
};

/** Whether the service reads and writes again. */
const isBack = async (): Promise<boolean> => (await canCreate()) && (await statusOf('/readyz')) === 200;

await untilAcknowledged(load, 500);
const longest = createLongest();
let [memoryBefore, descriptorsBefore] = [0, 0];
const kinds = Object.keys(faults).length;
for (const [round, name, fault] of rounds.eachOf(faults)) {
  await fault.leave();
  await Bun.sleep((fault.comeBack ? awayMsMax : betweenMsMax) * random());
  expect((await statusOf('/healthz')) === 200, `${name}: /healthz did not get 200`);
  await fault.comeBack?.();
  const availableAtMs = performance.now();
  expect(await comesTrue(isBack), `${name}: the service is not back`);
  longest.note(name, 'back after at most, ms', performance.now() - availableAtMs);
  if (fault.comeBack) expectWithin(promisedMs.back, `${name}: the return of the service`, { fromMs: availableAtMs });
  await untilAcknowledged(load, 50);
  if (round === Math.ceil((seconds === undefined ? rounds.max : kinds) / 3))
    [memoryBefore, descriptorsBefore] = [memoryMebibytes(server.pid), descriptors(server.pid)];
  if (round % 10 === 0) console.error(`round ${round}: ${load.acknowledged()} changes acknowledged`);
}

await load.stop();

// A token is refused from the next request on, also if the connection breaks during its revocation.
const manage = (...args: string[]) => runProgram(['token', ...args, '--database', proxy.url]);
let revoked = 0;
for (const how of (['before', 'after', 'running'] as const).slice(0, rounds.count())) {
  const authorization = `Bearer ${(await manage('create', '--name', how)).stdout.trim()}`;
  const statusOfToken = async () => (await fetch(`${server.url}/plants`, { headers: { authorization } })).status;
  expect((await statusOfToken()) === 200, 'a new token was refused');
  const id = (await manage('list')).stdout.match(new RegExp(`^(\\S+)\t${how}\t`, 'm'))?.[1] ?? '';
  const broken = proxy.breakAt(/^COMMIT/, how);
  const { exitCode } = await manage('revoke', id);
  await broken;
  expect(exitCode === 0, `a token was not revoked when the connection broke: ${how}`);
  expect((await statusOfToken()) === 401, 'a revoked token was not refused');
  revoked += 1;
}

const memoryAfter = memoryMebibytes(server.pid);
await expectExplained(load, postgres.url, expect);
expectPace(memoryAfter < memoryBefore + growthMebibytesMax, 'memory grows');
expect(await comesTrue(() => descriptors(server.pid) <= descriptorsBefore + 5), 'descriptors are lost');
await stopInOrder([server], expect);
longest.print();
end({
  rounds: rounds.count(),
  ...countsOf(load),
  'conditions failed': load.count(41200),
  'tokens revoked': revoked,
  'slowest response, ms': Math.round(load.slowestMs()),
  'MiB after a third': Math.round(memoryBefore),
  'MiB at the end': Math.round(memoryAfter),
});
