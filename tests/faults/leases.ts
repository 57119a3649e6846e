/**
 * Three processes send webhooks from one database while clients change plants through all of them, on SQLite and on PostgreSQL.
 * Processes are killed, paused past the end of their leases and continued, and stopped and started in turn. Each message must
 * arrive at least once, exactly as in the log; twice only if it was in flight at a kill or in a pause; and never twice
 * because of a clean stop. Another process must take over in time, and soon all must send to an even share of the webhooks.
 *
 * In a control the leases are repeatedly taken from their owners, so that several processes send to one webhook. A trial
 * that does not find those duplicates proves nothing.
 *
 *     bun tests/faults/leases.ts [--rounds 30] [--seed 1]        with --seconds the pauses are shorter
 */
import { SQL } from 'bun';
import { temporaryFolder } from '../support/folder.ts';
import { auditLog } from '../support/postgres/postgres-audit.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { countLost } from '../support/webhooks/delivery-audit.ts';
import { auditRecords, type Settled } from './leasing/delivery-records.ts';
import { createRounds, type Round, untilEven } from './leasing/lease-rounds.ts';
import { auditSending, auditTakeovers, createFigures } from './leasing/sending-audit.ts';
import { explainDuplicates } from './leasing/takeovers.ts';
import { type Scene, startScene } from './leasing/webhook-scene.ts';
import { comesTrue } from './support/comes-true.ts';
import { inspectDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, seconds, random } = readOptions(30);
const verdict = createVerdict();
const { expect, expectWithin, end } = verdict;

/** Longer than a lease, so that it is lost meanwhile. */
const pauseMs = seconds === undefined ? 30_000 : 14_000;
/** A few polls of each process, on a busy machine. */
const evenMsMax = 10_000;
const controlMs = 4000;
/** A kill, a pause and a rolling restart. */
const kindsAtLeast = 3;
const clearingMs = 100;

interface Engine {
  readonly name: string;
  /** Creates a database. Resolves to its URL. */
  readonly create: (name: string) => Promise<string>;
  /** The faults in its plants and its log, in sentences. */
  readonly audit: (url: string) => Promise<string[]>;
}

using folder = temporaryFolder();
await using postgres = await startPostgres();

const engines: Engine[] = [
  {
    name: 'SQLite',
    create: async (name) => folder.file(`${name}.sqlite`),
    audit: async (path) => {
      const { isWhole, isLogTrue } = inspectDatabase(path);
      return [...(isWhole ? [] : ['The file is damaged.']), ...(isLogTrue ? [] : ['The log makes other plants.'])];
    },
  },
  {
    name: 'PostgreSQL',
    create: async (name) => {
      await using sql = new SQL(postgres.url, { max: 1 });
      await sql.unsafe(`CREATE DATABASE ${name}`);
      return postgres.url.replace(/postgres$/, name);
    },
    audit: auditLog,
  },
];

/** No fault, only three processes that have started. */
const start: Round = { title: 'the start', play: async () => {} };

/** Runs the trial on one engine, a few rounds on each database, so that it needs little memory. */
const run = async ({ name, create, audit }: Engine) => {
  const figures = createFigures();
  const kinds = createRounds({ random, pauseMs, expect });
  const each = rounds.each(kindsAtLeast);
  for (let next = each.next(); !next.done; ) {
    const url = await create(`rounds_${next.value}`);
    {
      await using scene = await startScene(url, random);
      const settled: Settled = new Map();
      const playRound = async ({ title, play }: Round): Promise<void> => {
        await play(scene, settled);
        const evenMs = await untilEven(scene);
        figures.evenMsMost = Math.max(figures.evenMsMost, evenMs);
        expect(Number.isFinite(evenMs), `${name}: after ${title} not all send for an even share`);
        const toMs = performance.now();
        if (Number.isFinite(evenMs))
          expectWithin(evenMsMax, `${name}: an even share after ${title}`, { fromMs: toMs - evenMs, toMs });
        console.error(`${name}: ${title}; even after ${evenMs} ms, ${scene.acknowledged()} changes acknowledged`);
      };
      await playRound(start);
      for (const kind of kinds) {
        if (next.done) break;
        await playRound(kind);
        next = each.next();
      }
      await finish(scene);
      auditSending(scene, await scene.readOwed(), figures, verdict);
      for (const target of scene.targets)
        for (const fault of await auditRecords(scene, target, settled)) expect(false, fault);
    }
    for (const fault of await audit(url)) expect(false, `${name}: ${fault}`);
  }
  const control = await countOfControl(await create('control'));
  expect(control > 0, `${name}: the control has sent nothing twice, so this trial proves nothing`);
  return { engine: name, ...auditTakeovers(figures, verdict), 'duplicates of the control': control };
};

/** Stops the load, waits until all messages are sent, and shuts all processes down, so that all outcomes are recorded. */
const finish = async ({ stopLoad, fleet, targets, readOwed }: Scene): Promise<void> => {
  for (const fault of await stopLoad()) expect(false, fault);
  const owed = await readOwed();
  await comesTrue(
    () => targets.every((target) => countLost(target.received, owed(target)) === 0),
    () => targets.reduce((sum, { received }) => sum + received.length, 0),
  );
  for (const exitCode of await fleet.end()) expect(exitCode === 0, 'a process did not shut down cleanly');
  await fleet.start(0);
};

/** Takes the leases from their owners repeatedly. Resolves to the number of messages that arrive twice because of it. */
const countOfControl = async (url: string): Promise<number> => {
  await using scene = await startScene(url, random);
  const endsAtMs = Date.now() + controlMs;
  while (Date.now() < endsAtMs) {
    await scene.leases.clear();
    await Bun.sleep(clearingMs);
  }
  await finish(scene);
  const { targets, fleet } = scene;
  const counts = targets.map(
    ({ received, timesOwed }) => explainDuplicates(received, fleet.faults, timesOwed, verdict.count).unexplained.length,
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

const rows = await Promise.all(engines.map(run));
for (const row of rows) console.table(Object.entries(row).map(([figure, value]) => ({ figure, value })));
end({ rounds: rounds.count() });
