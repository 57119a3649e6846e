/**
 * PostgreSQL as operators run it: two servers that Patroni manages with etcd, one the synchronous standby of the other. One process
 * of the service reaches them through haproxy, and another has both in its URL. Clients write through both processes, and repeat
 * requests with status 503, while the primary is switched over, killed or frozen. All responses are recorded: for each plant there must be
 * an order of its requests that explains them, the log of events must be gapless and make the same plants, and each process must
 * write again soon after the standby has become the primary.
 *
 *     bun tests/faults/cluster.ts [--rounds 30] [--seed 1]        a round is one fault
 */
import { SQL } from 'bun';
import { startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { type PatroniNode, startPatroni } from '../support/postgres/patroni.ts';
import { findAllBinaries } from '../support/postgres/postgres-binaries.ts';
import { startServer } from '../support/programs/process.ts';
import { promisedMs } from '../support/promised.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase } from './support/database.ts';
import { countsOf, expectExplained, stopInOrder } from './support/load-verdict.ts';
import { createLongest } from './support/longest.ts';
import { readOptions, skip, skipWithout } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(30);
for (const tool of ['patroni', 'etcd', 'haproxy']) skipWithout(tool);
const bin = findAllBinaries() ?? skip('pg_basebackup is not installed');
const leaveMsMax = 2000;

await using cluster = await startPatroni(bin);
await cluster.settled();
const headers = await createDatabase(cluster.url);
await using byProxy = await startServer(cluster.proxyUrl);
await using byHosts = await startServer(cluster.url);
const servers = { haproxy: byProxy, hosts: byHosts };
const { expect, expectWithin, end } = createVerdict();

const load = startLoad(
  (method, path, { headers: more, ...rest }) =>
    fetch((random() < 0.5 ? byProxy : byHosts).url + path, {
      ...rest,
      method,
      headers: { ...headers, ...more },
    }),
  {
    clients: 48,
    plants: 1000,
    random,
    pauseMs: 20,
    repeats: true,
    onResponse: (time) => expectWithin(promisedMs.answered, 'a response', time),
  },
);

interface Fault {
  /** Ends the role of the primary. */
  readonly leave: (primary: PatroniNode, standby: PatroniNode) => unknown;
  /** Lets the former primary join again. */
  readonly comeBack?: (former: PatroniNode) => unknown;
}

const faults: Readonly<Record<string, Fault>> = {
  killed: { leave: (primary) => primary.kill(), comeBack: (former) => former.start() },
  switchover: { leave: (primary, standby) => primary.switchTo(standby) },
  frozen: {
    leave: (primary) => primary.freeze(),
    // Without a watchdog, Patroni cannot prevent that a machine that wakes up is a primary for a moment.
    comeBack: async (former) => {
      await former.kill();
      former.start();
    },
  },
};

const isPrimary = async ({ url }: PatroniNode): Promise<boolean> => {
  await using sql = new SQL(url, { max: 1, connectionTimeout: 1 });
  const [row] = await sql`SELECT pg_is_in_recovery() AS is_standby`;
  return row?.is_standby === false;
};

const untilPromoted = async (node: PatroniNode): Promise<void> => {
  while (!(await isPrimary(node).catch(() => false))) await Bun.sleep(20);
};

let probes = 1_000_000;
const canWrite = async (url: string): Promise<boolean> => {
  probes += 1;
  const body = `{"id":${probes},"name":"n"}`;
  const { status } = await fetch(`${url}/plants`, { method: 'POST', headers, body });
  expect(status === 200 || status === 503, `a creation got status ${status}`);
  return status === 200;
};

await untilAcknowledged(load, 500);
const longest = createLongest();
for (const [round, name, fault] of rounds.eachOf(faults)) {
  const { primary, standby } = await cluster.settled();
  await Bun.sleep(leaveMsMax * random());
  const leftAtMs = performance.now();
  const leaving = fault.leave(primary, standby);
  await untilPromoted(standby);
  const promotedAtMs = performance.now();
  longest.note(name, 'promoted after, ms', promotedAtMs - leftAtMs);
  const written = Object.entries(servers).map(async ([by, { url }]) => {
    expect(await comesTrue(() => canWrite(url)), `${name}: by ${by} no write came after the promotion`);
    const resumedMs = performance.now() - promotedAtMs;
    longest.note(name, `written by ${by}, ms later`, resumedMs);
    expectWithin(promisedMs.resumed, `${name}: by ${by} the first write after the promotion`, { fromMs: promotedAtMs });
    expect((await fetch(`${url}/healthz`)).status === 200, `${name}: /healthz did not get 200`);
  });
  await Promise.all([leaving, ...written]);
  await fault.comeBack?.(primary);
  await untilAcknowledged(load, 50);
  console.error(`round ${round}, ${name}: ${load.acknowledged()} changes acknowledged`);
}

await load.stop();
await cluster.settled();
await expectExplained(load, cluster.proxyUrl, expect);
await stopInOrder(Object.values(servers), expect);
longest.print();
end({
  rounds: rounds.count(),
  ...countsOf(load),
  'conditions failed': load.count(41200),
  'slowest response, ms': Math.round(load.slowestMs()),
});
