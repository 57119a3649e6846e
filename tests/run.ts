/** The test command: builds the binary, runs `bun test` with these arguments beside one PostgreSQL server, and ends with its exit code. */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runBun } from '../release/command.ts';
import { startPgbouncer } from './support/pgbouncer.ts';
import { startPostgres } from './support/postgres-server.ts';

/** The files that a process runs share their modules, as in plain `bun test`, so that each process loads the app once. */
const options = ['--parallel=4', '--no-isolate', '--max-concurrency=6', '--timeout=60000'];

/** Runs the tests, and returns the exit code of `bun test`. */
const run = async (): Promise<number> => {
  const tests = Bun.spawn([process.execPath, 'test', ...options, ...process.argv.slice(2)], {
    env: process.env,
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  return tests.exited;
};

/**
 * The folder for the data of PostgreSQL servers, which create and remove many files: in memory if the system has room for it, as no
 * test depends on their disk.
 */
const findPostgresFolder = (): string => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize > 4 * 1024 ** 3) return '/dev/shm';
  } catch {
    // Only Linux has this folder.
  }
  return tmpdir();
};

const start = async (): Promise<number> => {
  runBun('run', 'build');
  const { env } = process;
  env['TEST_PROGRAM'] = join(root, 'dist/plant-store');
  env['TEST_POSTGRES_FOLDER'] ??= findPostgresFolder();
  if (env['TEST_DATABASE_URL']) return run();
  await using server = await startPostgres();
  env['TEST_DATABASE_URL'] = server.url;
  env['TEST_POSTGRES_BIN'] = server.bin;
  if (!env['TEST_POSTGRES_POOLER']) return await run();
  await using pooler = await startPgbouncer(server.url, 'transaction', { max_client_conn: '1000' });
  env['TEST_POSTGRES_POOLER'] = pooler.url;
  return await run();
};

process.exit(await start());
