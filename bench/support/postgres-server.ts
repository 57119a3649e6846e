/** The PostgreSQL server of a run, with its default settings. */
import { SQL } from 'bun';
import { type PostgresServer, startPostgres } from '../../tests/support/postgres/postgres-server.ts';
import { until } from '../../tests/support/until.ts';
import { cpuSecondsWithChildren, parentOf } from './cpu.ts';

export interface Server extends AsyncDisposable {
  readonly version: string;
  /** The CPU time of all its processes so far. */
  cpuSeconds(): Promise<number>;
  /** Creates a database; it is dropped with all its connections when it is disposed. */
  createDatabase(): Promise<Database>;
  /** Delays the sync of each commit, as on a slower disk or with a distant standby. At most 100 ms. */
  delaySyncs(delayMs: number): Promise<void>;
}

export interface Database extends AsyncDisposable {
  readonly url: string;
  readonly sql: SQL;
  /** Runs pending maintenance, so that earlier work does not affect the next measurement. */
  settle(): Promise<void>;
}

export const startServer = async (): Promise<Server> => {
  const server = await startPostgres(defaults);
  const admin = new SQL(server.url, { max: 1 });
  const [row] = await admin`SELECT pg_backend_pid() AS pid, current_setting('server_version') AS version`;
  const pid = await parentOf(row.pid);
  let databases = 0;
  return {
    version: row.version,
    cpuSeconds: () => cpuSecondsWithChildren(pid),
    createDatabase: async () => {
      databases += 1;
      return await createDatabase(server, admin, `bench_${databases}`);
    },
    delaySyncs: async (delayMs) => {
      const delay = `${delayMs * 1000}`;
      await admin.unsafe(`ALTER SYSTEM SET commit_delay = ${delay}`);
      await admin`SELECT pg_reload_conf()`;
      await until(async () => (await admin`SELECT current_setting('commit_delay') AS delay`)[0].delay === delay);
    },
    [Symbol.asyncDispose]: async () => {
      await admin.close();
      await server[Symbol.asyncDispose]();
    },
  };
};

/** The server of the tests has other values. The last one has no effect before `delaySyncs`, and then it also delays single commits. */
const defaults = {
  fsync: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  dynamic_shared_memory_type: 'posix',
  commit_siblings: '0',
};

const createDatabase = async (server: PostgresServer, admin: SQL, name: string): Promise<Database> => {
  await admin.unsafe(`CREATE DATABASE ${name}`);
  const url = new URL(server.url);
  url.pathname = name;
  const sql = new SQL(url.href, { max: 1 });
  return {
    url: url.href,
    sql,
    settle: async () => {
      await sql.unsafe('VACUUM ANALYZE');
      await sql.unsafe('CHECKPOINT');
    },
    [Symbol.asyncDispose]: async () => {
      await sql.close();
      await admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
};
