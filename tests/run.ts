/** The test command: runs `bun test` with these arguments beside one PostgreSQL server, and ends with its exit code. */
import { startPgbouncer } from './support/pgbouncer.ts';
import { startPostgres } from './support/postgres-server.ts';

/** Runs the tests, and returns the exit code of `bun test`. */
const run = async (env: Readonly<Record<string, string>>): Promise<number> => {
  const tests = Bun.spawn([process.execPath, 'test', '--parallel=6', '--timeout', '30000', ...process.argv.slice(2)], {
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  return tests.exited;
};

const start = async (): Promise<number> => {
  if (process.env['TEST_DATABASE_URL']) return run({});
  await using server = await startPostgres();
  const env = { TEST_DATABASE_URL: server.url, TEST_POSTGRES_BIN: server.bin };
  if (!process.env['TEST_POSTGRES_POOLER']) return await run(env);
  await using pooler = await startPgbouncer(server.url, 'transaction', { max_client_conn: '1000' });
  return await run({ ...env, TEST_POSTGRES_POOLER: pooler.url });
};

process.exit(await start());
