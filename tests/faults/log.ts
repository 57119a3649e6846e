/**
 * Three processes on one PostgreSQL database. Ninety-six clients create, read, change and remove plants through all of them, and
 * a reader of each follows its log as a client does, while transactions are delayed in many ways. In the end every reader
 * must have the same log: no gap, no event skipped, none twice. A replay of the log must give the same plants, and for each plant
 * there must be an order of its requests, to any process, that explains all responses.
 *
 * The control uses numbers from a PostgreSQL sequence: its readers must skip events.
 *
 *     bun tests/faults/log.ts [--rounds 40] [--seed 1]        a round is one of each delay; the control takes half as many
 */
import { SQL } from 'bun';
import { temporaryFolder } from '../support/folder.ts';
import { sendInTurn, startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { auditLog } from '../support/postgres/postgres-audit.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { startProxy } from '../support/postgres/proxy.ts';
import { numberBySequence } from '../support/postgres/sequence-numbers.ts';
import { startServer } from '../support/programs/process.ts';
import { followLog, type LoggedEvent, readLog } from '../support/streams/log-reader.ts';
import { createDatabase } from './support/database.ts';
import { delayCommits, delayTransactions } from './support/log-delays.ts';
import { createRounds, readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(40);
const processes = 3;
const writers = 96;
const changesBetweenRounds = 500;

await using postgres = await startPostgres();
using folder = temporaryFolder();
const { expect, end } = createVerdict();

interface Log {
  readonly name: string;
  readonly each: () => Iterable<number>;
  /** How many plants there may be. */
  readonly plants: number;
  readonly prepare: (sql: SQL) => Promise<void>;
}

/** Writes and reads a log in a separate database. */
const tryLog = async ({ name, each, plants, prepare }: Log) => {
  await using admin = new SQL(postgres.url, { max: 1 });
  await admin.unsafe(`CREATE DATABASE ${name}`);
  const url = new URL(`/${name}`, postgres.url).href;
  const headers = await createDatabase(url);
  await using sql = new SQL(url, { max: 2 });
  await delayCommits(sql);
  await prepare(sql);

  await using open = new AsyncDisposableStack();
  const proxies = await Promise.all(Array.from({ length: processes }, async () => open.use(await startProxy(url))));
  const servers = await Promise.all(proxies.map(async (proxy) => open.use(await startServer(proxy.url))));

  const readers = servers.map(({ url }) => followLog({ url, headers }));
  const urls = servers.map(({ url }) => url);
  await using load = startLoad(sendInTurn(urls, headers), { clients: writers, plants, random, pauseMs: 5 });
  let rounds = 0;
  for (const round of each()) {
    rounds = round;
    await delayTransactions({ proxies, url, sql, file: folder.file('plants.ndjson'), random }, round);
    await untilAcknowledged(load, changesBetweenRounds);
    if (round % 10 === 0) console.error(`${name}: round ${round}, ${load.acknowledged()} changes`);
  }
  for (const proxy of proxies) proxy.delay(0);
  await load.stop();
  await Promise.all(readers.map(({ stop }) => stop()));
  const logs = await Promise.all(servers.map(({ url }) => readLog({ url, headers })));
  return { name, rounds, url, load, readers, logs };
};

type Findings = Awaited<ReturnType<typeof tryLog>>;

/** How many events of the log the reader does not have. */
const countSkipped = (log: readonly LoggedEvent[], read: readonly LoggedEvent[]): number => {
  const known = new Set(read.map(({ eventId }) => eventId));
  return log.filter(({ eventId }) => !known.has(eventId)).length;
};

const skippedOf = ({ readers, logs }: Findings): number[] =>
  readers.map(({ events }, index) => countSkipped(logs[index] ?? [], events));

const rowOf = (findings: Findings) => ({
  numbers: findings.name,
  rounds: findings.rounds,
  acknowledged: findings.load.acknowledged(),
  events: findings.logs[0]?.length,
  'full pages': findings.readers.map(({ fullPages }) => fullPages()).join(' '),
  'visits to the end': findings.readers.map(({ visitsToEnd }) => visitsToEnd()).join(' '),
  'answered 50300': findings.load.count(50300),
  'answered 50301': findings.load.count(50301),
  'skipped by each reader': skippedOf(findings).join(' '),
});

// So few plants that a batch has several changes of one plant, which other processes change too.
const subject = await tryLog({ name: 'log_head', each: rounds.each, plants: 20, prepare: async () => {} });
const [first = []] = subject.logs;
const isGapless = first.every(({ sequence }, index) => sequence === index + 1);
expect(isGapless, 'the log has a gap');
expect(first.length >= subject.load.acknowledged(), 'an acknowledged change has no event');
for (const log of subject.logs) expect(Bun.deepEquals(log, first), 'two processes return different logs');
for (const { events } of subject.readers) expect(Bun.deepEquals(events, first), 'a reader has another log');
for (const fault of [...subject.load.faults(), ...(await auditLog(subject.url))]) expect(false, fault);

// With few plants, changes would wait for each other and commit in the order of their numbers.
const control = await tryLog({
  name: 'sequence',
  each: createRounds(Math.ceil(subject.rounds / 2)).each,
  plants: 1000,
  prepare: numberBySequence,
});
expect(
  skippedOf(control).some((skipped) => skipped > 0),
  'the readers of the control have skipped nothing',
);

console.table([subject, control].map(rowOf));
end({ processes, writers, readers: processes });
