/** The test command: builds the binary, runs `bun test` with these arguments beside one PostgreSQL server, and ends with its exit code. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPgbouncer } from './support/postgres/pgbouncer.ts';
import { startTestServer } from './support/postgres/test-server.ts';
import { buildProgram } from './support/programs/built-program.ts';

/** The files that a process runs share their modules, as in plain `bun test`, so that each process loads the app once. */
const options = [
  '--parallel=5',
  '--no-isolate',
  '--max-concurrency=6',
  `--timings=${join(import.meta.dir, 'timings.json')}`,
];

/** The slowest of the three compilers of JavaScript takes more time than its code saves in a process that lives for a minute. */
const compilerSettings = { BUN_JSC_useFTLJIT: '0' };

/** They start programs on each runtime, which takes as long as all other tests, so they run only if they are named: `bun run test:runtimes`. */
const onEachRuntime = ['server', 'store', 'postgres-store', 'program', 'package', 'eden', 'without-parts'].map(
  (name) => `tests/runtime/${name}.test.ts`,
);

const given = process.argv.slice(2);
const isWholeSuite = given.every((argument) => argument.startsWith('-'));
const ignored = isWholeSuite ? onEachRuntime.map((path) => `--path-ignore-patterns=${path}`) : [];

/** Runs the tests, and returns the exit code of `bun test`. */
const run = async (): Promise<number> => {
  const tests = Bun.spawn([process.execPath, 'test', ...options, ...ignored, ...given], {
    env: { ...process.env, ...compilerSettings },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  return tests.exited;
};

const start = async (): Promise<number> => {
  const { env } = process;
  // Not beside the first tests, which would wait for it.
  buildProgram();
  if (env['TEST_DATABASE_URL']) return run();
  await using server = await startTestServer();
  // Files of tests are where those of the server are, as no test depends on their disk, and they are removed with it.
  env['TMPDIR'] = join(server.folder, 'files');
  mkdirSync(env['TMPDIR']);
  if (!env['TEST_POSTGRES_POOLER']) return await run();
  await using pooler = await startPgbouncer(server.url, 'transaction', { max_client_conn: '1000' });
  env['TEST_POSTGRES_POOLER'] = pooler.url;
  return await run();
};

process.exit(await start());
