/**
 * Two processes of the service, a PostgreSQL server and its synchronous standby, each on a separate host in a network that is
 * repeatedly partitioned: silently, with refusals, and in one direction. In some rounds the standby is promoted while the
 * old primary still runs, isolated with one of the two processes. A process that cannot reach a primary with its standby must
 * acknowledge nothing. All responses are recorded: for each plant there must be an order of its requests that explains them.
 *
 *     bun tests/faults/partition.ts [--rounds 50] [--seed 1]        a round is one cut
 */
import { SQL } from 'bun';
import { startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { findAllBinaries } from '../support/postgres/postgres-binaries.ts';
import { startPair } from '../support/postgres/postgres-pair.ts';
import { startServer, underTest } from '../support/programs/process.ts';
import { promisedMs } from '../support/promised.ts';
import { until } from '../support/until.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase } from './support/database.ts';
import { countsOf, expectExplained, stopInOrder } from './support/load-verdict.ts';
import { createLongest } from './support/longest.ts';
import { type Cut, enterNetwork } from './support/network.ts';
import { readOptions, skip } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(50);
const programs = findAllBinaries() ?? skip('pg_basebackup is not installed');
const network = await enterNetwork();
const cutMsMax = 10_000;

/** Short, so that the standby reconnects soon after a silent partition. */
const settings = { wal_receiver_timeout: '2s', wal_retrieve_retry_interval: '100ms' };
const serverHosts = [await network.addHost(), await network.addHost()] as const;
await using pair = await startPair(programs, settings, serverHosts);
const headers = await createDatabase(pair.url);

/** A process of the service, on a separate host. */
const addService = async () => {
  const host = await network.addHost();
  const program = [...host.enter, ...underTest];
  const server = await startServer(pair.url, { program, args: ['--host', host.address] });
  return { host, server, requestsUnderWay: 0, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
};
type Service = Awaited<ReturnType<typeof addService>>;
await using one = await addService();
await using other = await addService();
const services = [one, other];
const { expect, expectWithin, end } = createVerdict();

let slowestMs = 0;
const send = async (
  service: Service,
  method: string,
  path: string,
  more: { headers?: object; body?: string | Uint8Array<ArrayBuffer> },
) => {
  const sentAtMs = performance.now();
  service.requestsUnderWay += 1;
  try {
    return await fetch(service.server.url + path, { method, ...more, headers: { ...headers, ...more.headers } });
  } finally {
    service.requestsUnderWay -= 1;
    slowestMs = Math.max(slowestMs, performance.now() - sentAtMs);
    expectWithin(promisedMs.answered, 'a response', { fromMs: sentAtMs });
  }
};

/** The processes that the clients use. A process that remains with the old primary may read stale data. */
let used: readonly Service[] = services;
const load = startLoad(
  (method, path, options) => send(used[Math.floor(random() * used.length)] ?? one, method, path, options),
  { clients: 24, plants: 1000, random, pauseMs: 20 },
);

let probes = 1_000_000;
const acknowledgedProbes: number[] = [];
/** Creates another plant. Resolves to the number of the error, or to the status. */
const probe = async (service: Service): Promise<number> => {
  probes += 1;
  const id = probes;
  const response = await send(service, 'POST', '/plants', { body: `{"id":${id},"name":"n"}` });
  const { error }: { error?: number } = JSON.parse(await response.text());
  if (response.ok) acknowledgedProbes.push(id);
  return error ?? response.status;
};

const untilWritten = async (service: Service): Promise<void> =>
  expect(await comesTrue(async () => (await probe(service)) === 200), 'a process does not write again');

let rejections = 0;
/** Writes by a process that must acknowledge nothing until `isOver`. Calls `onRefused` after each response. */
const refusesUntil = async (service: Service, name: string, isOver: () => boolean, onRefused: () => void) => {
  while (!isOver()) {
    const answer = await probe(service);
    if (isOver()) return;
    rejections += 1;
    onRefused();
    expect(answer === 50300 || answer === 50301, `${name}: a write got ${answer} while it could not be stored`);
  }
};

/** Resolves once the standby has confirmed a commit that does not depend on the service. */
const untilReplicated = async (): Promise<void> => {
  await using sql = new SQL(pair.primary().url, { max: 1 });
  await sql`SELECT pg_logical_emit_message(true, 'trial', '')`;
};

/** The partition, and the processes that must acknowledge nothing meanwhile. */
interface Partition {
  readonly cut: (how: Cut) => void;
  readonly refusing: readonly Service[];
  /** Whether the standby is promoted, so that only `other` stays without it. */
  readonly isFailover?: boolean;
}

const partitions: Readonly<Record<string, Partition>> = {
  'a process and the primary': {
    cut: (how) => network.cut(one.host, pair.primary().host, how),
    refusing: [one],
  },
  'the primary and its standby': {
    cut: (how) => network.cut(pair.primary().host, pair.standby().host, how),
    refusing: services,
  },
  'a process and both servers': {
    cut: (how) => {
      for (const host of serverHosts) network.cut(one.host, host, how);
    },
    refusing: [one],
  },
  'a process and the standby': {
    cut: (how) => network.cut(one.host, pair.standby().host, how),
    refusing: [],
  },
  'the primary with a process, and the rest': {
    cut: (how) => {
      network.cut(pair.standby().host, pair.primary().host, how);
      network.cut(one.host, pair.primary().host, how);
      network.cut(pair.standby().host, other.host, how);
    },
    refusing: [other],
    isFailover: true,
  },
};

const longest = createLongest();
const note = (name: string, what: string, fromMs: number, msMax: number): void => {
  longest.note(name, `${what}, ms`, performance.now() - fromMs);
  expectWithin(msMax, `${name}: ${what}`, { fromMs });
};

await pair.synchronize();
const cuts: readonly Cut[] = ['silent', 'refused', 'deaf'];
for (const round of rounds.each(Object.keys(partitions).length)) {
  await untilAcknowledged(load, 200);
  const [name = '', partition] = Object.entries(partitions)[(round - 1) % Object.keys(partitions).length] ?? [];
  if (!partition) continue;
  const { refusing, isFailover = false } = partition;
  const how = cuts[Math.floor(random() * cuts.length)] ?? 'silent';
  if (isFailover) {
    used = [one];
    await until(() => other.requestsUnderWay === 0);
  }
  partition.cut(how);
  let isOver = false;
  const answered = new Set<Service>();
  const refused = refusing.map((service) =>
    refusesUntil(
      service,
      name,
      () => isOver,
      () => answered.add(service),
    ),
  );
  await Bun.sleep(cutMsMax * random());
  if (isFailover) {
    const old = pair.primary();
    await pair.promote();
    const promotedAtMs = performance.now();
    await untilWritten(one);
    note(name, 'a write after the promotion', promotedAtMs, promisedMs.resumed);
    // The old primary still accepts connections.
    await using sql = new SQL(old.url, { max: 1 });
    const [row] = await sql`SELECT pg_is_in_recovery() AS is_standby`;
    expect(row?.is_standby === false, `${name}: the old primary is not a primary any more`);
  }
  await until(() => answered.size === refusing.length);
  for (const { server } of services)
    expect((await fetch(`${server.url}/healthz`)).status === 200, `${name}: /healthz did not get 200`);
  isOver = true;
  if (isFailover) await pair.standby().kill();
  network.heal();
  if (!isFailover) await untilReplicated();
  const healedAtMs = performance.now();
  await Promise.all(services.map(untilWritten));
  note(name, 'the return after the cut', healedAtMs, promisedMs.back);
  await Promise.all(refused);
  if (isFailover) {
    await pair.rejoin();
    await pair.synchronize();
    used = services;
  }
  console.error(`round ${round}, ${name}, ${how}: ${load.acknowledged()} changes acknowledged`);
}

await load.stop();
for (const id of acknowledgedProbes)
  expect((await send(one, 'GET', `/plants/${id}`, {})).ok, 'an acknowledged plant is missing');
await expectExplained(load, pair.primary().url, expect);
await stopInOrder(
  services.map(({ server }) => server),
  expect,
);
longest.print();
end({
  rounds: rounds.count(),
  ...countsOf(load),
  'writes refused during a cut': rejections,
  'slowest response, ms': Math.round(slowestMs),
});
