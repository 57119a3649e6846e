import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startCitus } from './citus.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** Starts the PostgreSQL server of all tests, and sets their variables. Without one, prints the reason and ends the process. */
export const startTestServer = async (): Promise<PostgresServer> => {
  const { env } = process;
  env['TEST_POSTGRES_FOLDER'] ??= findFolder();
  const server = await (env['TEST_POSTGRES_CITUS'] ? startCoordinator() : startPostgres()).catch((error) => {
    console.error(`The tests need PostgreSQL, and it does not start: ${error.message}`);
    return process.exit(1);
  });
  env['TEST_DATABASE_URL'] = server.url;
  env['TEST_POSTGRES_BIN'] = server.bin;
  env['TEST_POSTGRES_TEMPLATE'] = server.template;
  return server;
};

/** Starts a Citus cluster, whose workers are then in `TEST_POSTGRES_CITUS`. */
const startCoordinator = async (): Promise<PostgresServer> => {
  const { coordinator, workers, ...cluster } = await startCitus();
  process.env['TEST_POSTGRES_CITUS'] = workers.map(({ url }) => url).join(' ');
  return { ...coordinator, ...cluster };
};

/**
 * The folder for the data of PostgreSQL servers, which create and remove many files: in memory if the system has room for it, as no
 * test depends on their disk.
 */
const findFolder = (): string => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize > 4 * 1024 ** 3) return '/dev/shm';
  } catch {
    // Only Linux has this folder.
  }
  return tmpdir();
};
