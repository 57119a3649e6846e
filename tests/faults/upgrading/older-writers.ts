import { Database } from 'bun:sqlite';
import { SQL } from 'bun';
import { isPostgresUrl } from '../../../src/config/setting-values.ts';

/** Clients that write plants as a process of an earlier version does, until they are stopped. */
export interface OlderWriters extends AsyncDisposable {
  /** The ids of the plants whose transaction was committed. */
  readonly committed: ReadonlySet<number>;
  /** Errors of transactions: those plants must not exist. */
  readonly failed: ReadonlyMap<number, string>;
  stop(): Promise<void>;
}

/** The columns that every version has. */
const insertion = (id: number): string =>
  `INSERT INTO plants (id, name, created_at, updated_at) VALUES (${id}, 'older', '2026-01-01', '2026-01-01')`;

/** Opens a connection, and returns a function that commits one plant. */
const openSqlite = (path: string) => {
  const client = new Database(path);
  client.run('PRAGMA busy_timeout = 60000');
  client.run('PRAGMA synchronous = FULL');
  return {
    write: async (id: number): Promise<void> => {
      client.run('BEGIN IMMEDIATE');
      client.run(insertion(id));
      client.run('COMMIT');
    },
    close: async () => client.close(),
  };
};

const openPostgres = (url: string) => {
  const sql = new SQL(url, { max: 1 });
  return {
    write: async (id: number): Promise<void> => void (await sql.unsafe(`BEGIN; ${insertion(id)}; COMMIT`).simple()),
    close: () => sql.close(),
  };
};

/** A service leaves the lock of SQLite free between its transactions, and so do these. */
const [clients, pauseMs] = [4, 25];

export const startOlderWriters = (database: string): OlderWriters => {
  const [committed, failed] = [new Set<number>(), new Map<number, string>()];
  let [nextId, isOver] = [1000, false];
  const work = async (): Promise<void> => {
    const { write, close } = isPostgresUrl(database) ? openPostgres(database) : openSqlite(database);
    while (!isOver) {
      const id = nextId;
      nextId += 1;
      await write(id).then(
        () => committed.add(id),
        (error: Error) => failed.set(id, error.message),
      );
      await Bun.sleep(pauseMs);
    }
    await close();
  };
  const working = Promise.all(Array.from({ length: clients }, work));
  const stop = async (): Promise<void> => {
    isOver = true;
    await working;
  };
  return { committed, failed, stop, [Symbol.asyncDispose]: stop };
};
