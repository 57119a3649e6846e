/**
 * The test command: builds the binary, runs `bun test` with these arguments beside one PostgreSQL server, and ends with its exit code. With
 * `--beside N`, N processes keep the machine busy meanwhile. `--runtimes` names the files of `bun run test:runtimes`, a
 * source file those that import it, and `--update-timings` writes tests/timings.json.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { temporaryFolder } from './support/folder.ts';
import { startPgbouncer } from './support/postgres/pgbouncer.ts';
import { startTestServer } from './support/postgres/test-server.ts';
import { buildProgramAside } from './support/programs/built-program.ts';
import { startBusyProcesses } from './support/programs/busy.ts';
import { testsOf } from './support/project/tests-of.ts';
import { type Durations, planDurations } from './support/project/timings.ts';

const root = join(import.meta.dir, '..');

/** The files that a process runs share their modules, as in plain `bun test`, so that each process loads the app once. */
const options = ['--parallel=7', '--no-isolate', '--max-concurrency=6'];

/**
 * The slowest of the three compilers of JavaScript takes more time than its code saves in a process that lives for a minute. Freed memory
 * returns to the system after a second instead of ten milliseconds, since the next test uses it: a tenth less CPU. With seven processes on
 * two cores, a collection of garbage beside the program only costs more: a twentieth.
 */
const runtimeSettings = { BUN_JSC_useFTLJIT: '0', BUN_JSC_useConcurrentGC: '0', MIMALLOC_PURGE_DELAY: '1000' };

/**
 * They start programs on each runtime, or run tests in copies of the project. That takes longer than all other tests, so they run only if
 * they are named, or with `--runtimes`.
 */
const apart = ['tests/runtime/', 'tests/house/recipe.test.ts'];

/** The arguments of `bun test`, and the number of busy processes. Ends the process with 2 if that is not a number. */
const readArguments = (words: readonly string[]) => {
  const at = words.findIndex((word) => /^--beside(?:=|$)/.test(word));
  if (at === -1) return { given: words, beside: 0 };
  const [, joined] = words[at]?.split('=') ?? [];
  const count = joined ?? words[at + 1] ?? '';
  if (!/^\d{1,3}$/.test(count)) {
    console.error('--beside needs a number of processes, such as 8.');
    process.exit(2);
  }
  return { given: words.toSpliced(at, joined === undefined ? 2 : 1), beside: Number(count) };
};

const { given: words, beside } = readArguments(process.argv.slice(2));
const given = words.flatMap((word) => {
  if (word === '--runtimes') return apart;
  if (!/^(?:\.\/)?(?:src|db|console)\/.*\.tsx?$/.test(word)) return [word];
  const found = testsOf(normalize(word));
  if (found.length === 0) {
    console.error(
      `No test imports ${word}, even through other files. \`bun run test:runtimes\` tests the program on each runtime.`,
    );
    process.exit(1);
  }
  console.error(`The tests of ${word}: ${found.join(' ')}`);
  return found;
});
const isWholeSuite = given.every((argument) => argument.startsWith('-'));
const ignored = isWholeSuite ? apart.map((path) => `--path-ignore-patterns=${path.replace(/\/$/, '/**')}`) : [];

const timingsFile = join(import.meta.dir, 'timings.json');

const readDurations = (path: string): Durations => JSON.parse(readFileSync(path, 'utf8')).files;

/** The durations of all test files, which start in this order. */
const planFiles = (known: Durations): Durations => {
  const files = new Bun.Glob('tests/**/*.test.{ts,tsx}').scanSync(root);
  return planDurations(known, Object.fromEntries([...files].map((file) => [file, statSync(join(root, file)).size])));
};

const writeDurations = (path: string, files: Durations): void =>
  writeFileSync(path, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);

/** Runs the tests, and returns the exit code of `bun test`. */
const run = async (): Promise<number> => {
  using folder = temporaryFolder();
  const planned = folder.file('timings.json');
  writeDurations(planned, planFiles(readDurations(timingsFile)));
  using _ = startBusyProcesses(beside);
  const tests = Bun.spawn([process.execPath, 'test', ...options, `--timings=${planned}`, ...ignored, ...given], {
    env: { ...process.env, ...runtimeSettings },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  const exitCode = await tests.exited;
  if (given.includes('--update-timings')) writeDurations(timingsFile, planFiles(readDurations(planned)));
  return exitCode;
};

const start = async (): Promise<number> => {
  const { env } = process;
  // Not beside the first tests, which would wait for it.
  const built = buildProgramAside();
  if (env['TEST_DATABASE_URL']) return built.then(run);
  await using server = await startTestServer();
  await built;
  // Files of tests are where those of the server are, as no test depends on their disk, and they are removed with it.
  env['TMPDIR'] = join(server.folder, 'files');
  mkdirSync(env['TMPDIR']);
  if (!env['TEST_POSTGRES_POOLER']) return await run();
  await using pooler = await startPgbouncer(server.url, 'transaction', { max_client_conn: '1000' });
  env['TEST_POSTGRES_POOLER'] = pooler.url;
  return await run();
};

process.exit(await start());
