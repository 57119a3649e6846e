/**
 * Measures the log as the bottleneck. Transactions that append to it commit one after the other, and a process runs one of them at a
 * time. So creates per second are at most the rows of a commit divided by the time of a commit, which is also measured separately.
 */
import { batchMax } from '../../src/postgres/session/group-commit.ts';
import { median, printTable } from '../support/measure.ts';
import { seconds } from '../support/options.ts';
import type { Database, Server } from '../support/postgres-server.ts';
import { measureProcesses, type ProcessesFigures } from '../support/processes.ts';
import type { Running } from '../support/servers.ts';
import type { CommitTimer } from './commit-time.ts';

/** The figures of one round at one delay. */
export interface LogFigures extends ProcessesFigures {
  readonly processes: number;
  readonly connections: number;
  /** The delay added to each sync. */
  readonly delayMs: number;
  readonly rowsPerCommit: number;
  /** The shortest duration of a commit of `rowsExpected` without other load, in milliseconds. */
  readonly commitMs: number;
  /** The bytes that a create adds to the WAL of PostgreSQL. */
  readonly walBytes: number;
}

export const measureLog = async (
  server: Server,
  database: Database,
  running: readonly Running[],
  timer: CommitTimer,
): Promise<LogFigures[]> => {
  const all: LogFigures[] = [];
  const processes = running.length;
  for (const delayMs of delaysMs) {
    await server.delaySyncs(delayMs);
    for (const connections of crowds) {
      console.error(`processes: ${processes}; creates by ${connections}; each sync ${delayMs} ms longer`);
      await database.settle();
      const commitMs = await timer.time(rowsExpected(connections, processes));
      const before = await readLog(database);
      const figures = await measureProcesses(server, running, { load: 'create', connections });
      const after = await readLog(database);
      const rows = Number(after.sequence - before.sequence);
      if (rows < Math.floor(figures.perSecond * seconds))
        throw new Error(`The log has ${rows} events of ${figures.perSecond * seconds} creates.`);
      all.push({
        ...figures,
        processes,
        connections,
        delayMs,
        rowsPerCommit: rows / (await countCommits(database, before.sequence)),
        commitMs,
        walBytes: (after.walBytes - before.walBytes) / rows,
      });
    }
  }
  await server.delaySyncs(0);
  return all;
};

export const printLog = (measured: readonly LogFigures[]): void => {
  const counts = [...new Set(measured.map(({ processes }) => processes))];
  for (const connections of crowds) {
    const rows = delaysMs.map((delayMs) => [
      `${delayMs} ms`,
      ...counts.map((processes) =>
        showCreates(
          measured.filter(
            (one) => one.connections === connections && one.delayMs === delayMs && one.processes === processes,
          ),
        ),
      ),
    ]);
    const heads = counts.map((count) => (count === 1 ? '1 process' : `${count} processes`));
    printTable([`${connections} connections; each sync longer by`, ...heads], rows);
  }
  printCommits(measured);
};

const delaysMs = [0, 1, 2, 5, 10, 20];
const crowds = [128, 1024];

/** The rows of a commit that has a create of each connection of the process. */
const rowsExpected = (connections: number, processes: number): number => Math.min(batchMax, connections / processes);

/** Creates per second, as commits per second times rows per commit, and the ratio to the formula. */
const showCreates = (rounds: readonly LogFigures[]): string => {
  const [first] = rounds;
  if (!first) return '';
  const [perSecond, rows] = [median(rounds, 'perSecond'), median(rounds, 'rowsPerCommit')];
  const calculated = (1000 * rowsExpected(first.connections, first.processes)) / median(rounds, 'commitMs');
  return `${show(perSecond)} = ${show(perSecond / rows)} × ${show(rows)} (${(perSecond / calculated).toFixed(2)})`;
};

/** Prints the WAL and the duration of commits, by the number of rows. */
const printCommits = (measured: readonly LogFigures[]): void => {
  const bySize = Map.groupBy(measured, ({ connections, processes }) => rowsExpected(connections, processes));
  const rows = [...bySize]
    .toSorted(([one], [other]) => one - other)
    .map(([rows, all]) => [
      `${rows}`,
      `${show(median(all, 'walBytes'))} bytes`,
      ...delaysMs.map((delayMs) => {
        const atDelay = all.filter((one) => one.delayMs === delayMs);
        return `${median(atDelay, 'commitMs').toFixed(2)} ms`;
      }),
    ]);
  const heads = delaysMs.map((delayMs) => `commit, syncs ${delayMs} ms longer`);
  printTable(['rows of a commit', 'WAL of a create', ...heads], rows);
};

const show = (value: number): string => Math.round(value).toLocaleString('en');

interface LogState {
  readonly sequence: bigint;
  /** All bytes that the server has written to its WAL. */
  readonly walBytes: number;
}

const readLog = async ({ sql }: Database): Promise<LogState> => {
  const [row] = await sql`
    SELECT sequence::text, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "walBytes" FROM log_head`;
  return { ...row, sequence: BigInt(row.sequence) };
};

/** How many transactions have appended the events after this sequence. */
const countCommits = async ({ sql }: Database, after: bigint): Promise<number> => {
  const [row] = await sql`
    SELECT count(DISTINCT xmin::text)::int AS commits FROM events WHERE sequence > ${`${after}`}::bigint`;
  return row.commits;
};
