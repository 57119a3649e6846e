/**
 * Makes one system call on the database fail by strace, the n-th of its kind, for every n: reads, writes, syncs, opens and
 * truncations, with the errors of a broken disk, a full one, one that was remounted read-only, and an interruption.
 *
 * After each failure, every acknowledged plant is on the disk; the server starts or prints the reason why not, continues or exits
 * with its documented code, and sends only documented responses; and the file is intact and opens again.
 *
 *     bun tests/faults/system-calls.ts [--rounds 200]
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { openTestStore } from '../support/store/engines.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions, skipWithout } from './support/options.ts';
import { underStrace } from './support/strace.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds } = readOptions(200);
skipWithout('strace');

const calls = ['fsync', 'pwrite64', 'pread64', 'openat', 'ftruncate'];
const errors = ['EIO', 'ENOSPC', 'EROFS', 'EINTR'];
const files = ['plants.sqlite-wal', 'plants.sqlite', 'plants.sqlite-shm'];
/** Enough for a checkpoint, which writes into the database itself. */
const stepsAlone = 280;
const [clientsTogether, stepsTogether] = [8, 5];
/** One for each core of a small machine. */
const trialsAtOnce = 2;
const { expect, end } = createVerdict();

using folder = temporaryFolder();
const template = folder.file('template.sqlite');
const headers = await createDatabase(template);

interface Trial {
  readonly file: string;
  readonly call: string;
  readonly error: string;
  /** Which of these calls fails, from 1 on. */
  readonly n: number;
}

interface Outcome {
  /** Whether there was an n-th call. */
  readonly hasFailed: boolean;
  readonly became: 'refused to start' | 'served on' | 'stopped';
  readonly faults: readonly string[];
}

/**
 * Creates plants and records the acknowledged ones, until the server has ended. Resolves to the number of responses with an unknown
 * outcome.
 */
const work = async (server: RunningServer, acknowledged: Set<number>, faults: string[]): Promise<number> => {
  let isGone = false;
  let unknown = 0;
  const create = async (id: number): Promise<void> => {
    if (isGone) return;
    const response = await fetch(`${server.url}/plants`, {
      method: 'POST',
      headers,
      body: `{"id":${id},"name":"n","tag":"t${id}"}`,
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response === undefined || text === undefined) isGone = true;
    else if (response.status === 200) acknowledged.add(id);
    else if (response.status === 503 && text.includes('"error":50301')) unknown += 1;
    else if (response.status !== 503 || !text.includes('"error":50300')) faults.push(`${response.status} ${text}`);
  };
  for (let id = 1; id <= stepsAlone; id += 1) await create(id);
  await Promise.all(
    Array.from({ length: clientsTogether }, async (_, client) => {
      for (let n = 1; n <= stepsTogether; n += 1) await create(1000 * (client + 1) + n);
    }),
  );
  return unknown;
};

/** After a commit with an unknown outcome. A full disk and an interruption are not such failures. */
const mustStop = ({ file, call, error }: Omit<Trial, 'n'>): boolean =>
  file.endsWith('-wal') && (call === 'fsync' || (call === 'pwrite64' && (error === 'EIO' || error === 'EROFS')));

const attempt = async ({ file, call, error, n }: Trial, acknowledged: Set<number>): Promise<Outcome> => {
  using own = temporaryFolder();
  const [database, trace] = [own.file('plants.sqlite'), own.file('trace')];
  copyFileSync(template, database);
  const inject = ['--trace', call, '--trace-path', own.file(file), '--inject', `${call}:error=${error}:when=${n}`];
  const faults: string[] = [];
  let became: Outcome['became'] = 'refused to start';
  let unknown = 0;
  const program = underStrace(['--output', trace, ...inject]);
  const server = await startServer(database, { program }).catch((cause: Error) => {
    if (!/^exited with 1 .*"plant-store: /s.test(cause.message)) faults.push(cause.message);
  });
  if (server) {
    await using _ = server;
    unknown = await work(server, acknowledged, faults);
    const serves = await fetch(`${server.url}/plants`, { headers }).then(
      ({ ok }) => ok,
      () => false,
    );
    became = serves ? 'served on' : 'stopped';
    if (!serves) {
      const exitCode = await server.exited;
      if (exitCode !== 1) faults.push(`exited with ${exitCode}`);
    }
  }
  const { isWhole, isLogTrue, plants } = inspectDatabase(database);
  if (!isWhole) faults.push('the file is damaged');
  if (!isLogTrue) faults.push('the log is unlike the plants');
  const lost = [...acknowledged].filter((id) => !plants.has(id)).length;
  if (lost > 0) faults.push(`${lost} acknowledged plants are lost`);
  await (await openTestStore(database)).close();
  const hasFailed = existsSync(trace) && readFileSync(trace, 'latin1').includes('(INJECTED)');
  if (hasFailed && mustStop({ file, call, error })) {
    if (became === 'served on') faults.push('it serves on, on a broken disk');
    if (became === 'stopped' && unknown === 0) faults.push('no response said that the outcome is unknown');
  }
  if (!hasFailed && became !== 'served on') faults.push('it did not serve, though no call has failed');
  return { hasFailed, became, faults };
};

const timely = async (trial: Trial): Promise<Outcome> => {
  const acknowledged = new Set<number>();
  const stopped = (fault: string): Outcome => ({ hasFailed: true, became: 'stopped', faults: [fault] });
  let outcome: Outcome | undefined;
  void attempt(trial, acknowledged)
    .catch(({ message }: Error) => stopped(message))
    .then((result) => {
      outcome = result;
    });
  await comesTrue(
    () => outcome !== undefined,
    () => acknowledged.size,
  );
  return outcome ?? stopped('the server hangs');
};

const rows = files.flatMap((file) =>
  calls.flatMap((call) =>
    errors.map((error) => ({
      file,
      call,
      error,
      trials: 0,
      'refused to start': 0,
      'served on': 0,
      stopped: 0,
      faults: 0,
    })),
  ),
);

/** Lets the n-th call fail. Resolves to whether there was one. */
const tryCall = async (row: (typeof rows)[number], n: number): Promise<boolean> => {
  const { file, call, error } = row;
  const { hasFailed, became, faults } = await timely({ file, call, error, n });
  if (hasFailed) {
    row.trials += 1;
    row[became] += 1;
  }
  row.faults += faults.length;
  for (const fault of faults) expect(false, `${call} ${n} of ${file} with ${error}: ${fault.slice(0, 300)}`);
  return hasFailed;
};

/** Those whose last call has not failed yet. */
let rowsLeft = rows;
for (const n of rounds.each()) {
  const waiting = rowsLeft.values();
  const more = new Set<(typeof rows)[number]>();
  await Promise.all(
    Array.from({ length: trialsAtOnce }, async () => {
      for (const row of waiting) if (await tryCall(row, n)) more.add(row);
    }),
  );
  rowsLeft = rowsLeft.filter((row) => more.has(row));
  console.error(`round ${n}: ${rowsLeft.length} of ${rows.length} kinds may have more calls`);
  if (rowsLeft.length === 0) break;
}
console.table(rows.filter(({ trials, faults }) => trials + faults > 0));
const failed = rows.reduce((sum, { trials }) => sum + trials, 0);
expect(failed > 0, 'no call has failed, so this trial proves nothing');
end({ 'calls failed': failed });
