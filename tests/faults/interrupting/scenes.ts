/** The commands that a fault interrupts, each with a database before it and the one that must be there after it. */
import { Database } from 'bun:sqlite';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sqliteMigrations from '../../../db/migrations.json' with { type: 'json' };
import { isPostgresUrl } from '../../../src/config/setting-values.ts';
import postgresMigrations from '../../../src/postgres/db/migrations.json' with { type: 'json' };
import { openExclusive } from '../../store/copy-rows.ts';
import { createOlder } from '../../support/store/older-schema.ts';
import { SQL } from '../../support/store/sql.ts';
import { comesTrue } from '../support/comes-true.ts';

/** Where the database of a round is. */
export interface Place {
  /** A folder for files, which may be on a small disk. */
  readonly folder: string;
  /** Creates a database of PostgreSQL, which may be on a small disk, and returns its URL. */
  readonly createPostgres: () => Promise<string>;
}

/** `before` and `after` are whole: all of the command was done, or nothing of it. */
export type State = 'before' | 'after' | 'partial';

export interface Attempt {
  readonly args: readonly string[];
  /** The state of the database. Rejects while it cannot be opened. */
  readonly state: () => Promise<State>;
}

export interface Scene {
  readonly name: string;
  readonly engine: 'SQLite' | 'PostgreSQL';
  /** The additional space that is enough for the command. */
  readonly kibibytes: number;
  readonly prepare: (place: Place) => Promise<Attempt>;
}

/** All rows of a store, as text. */
export const contentOf = async (database: string): Promise<string> => {
  await using store = await openExclusive(database);
  const lines: string[] = [];
  const toText = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value);
  for await (const { table, rows } of store.dump())
    for (const row of rows) lines.push(`${table} ${row.map(toText).join('|')}`);
  return lines.join('\n');
};

/** A file of a command that failed may be missing; then nothing was done. */
const isMissing = (database: string): boolean => !isPostgresUrl(database) && !existsSync(database);

const copyTo = (name: string, engine: Scene['engine'], source: string, expected: string): Scene => ({
  name,
  engine,
  kibibytes: 4096,
  prepare: async ({ folder, createPostgres }) => {
    const target = engine === 'SQLite' ? join(folder, 'target.sqlite') : await createPostgres();
    return {
      args: ['copy', source, target],
      state: async () => {
        if (isMissing(target)) return 'before';
        const content = await contentOf(target);
        if (content === '') return 'before';
        return content === expected ? 'after' : 'partial';
      },
    };
  },
});

const migrations = {
  SQLite: sqliteMigrations.map(({ name }) => name),
  PostgreSQL: postgresMigrations.map(({ name }) => name),
};

/** What the database has: the names of its migrations, of its tables and of its plants. */
const lookAt = async (database: string): Promise<{ readonly migrations: unknown[]; readonly all: string }> => {
  const queries = [
    'SELECT name FROM schema_migrations ORDER BY name',
    isPostgresUrl(database)
      ? "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('public') ORDER BY 1"
      : 'SELECT name, sql FROM sqlite_schema ORDER BY name',
    'SELECT id, name FROM plants ORDER BY id',
  ];
  const results: unknown[][] = [];
  if (isPostgresUrl(database)) {
    await using sql = new SQL(database, { max: 1 });
    // The server ends the session of a killed client once it notices. Its own workers, such as autovacuum, are sessions too.
    const isAlone = async (): Promise<boolean> => {
      const [others] = await sql`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
      return others.count === 0;
    };
    if (!(await comesTrue(isAlone))) throw new Error('Another session has not ended.');
    for (const query of queries) results.push((await sql.unsafe(query).values()).flat());
  } else {
    using client = new Database(database);
    for (const query of queries) results.push(client.query(query).values().flat());
  }
  return { migrations: results[0] ?? [], all: JSON.stringify(results) };
};

/** Migrates a database with this number of migrations. Without one it is created. */
const migrateFrom = (engine: Scene['engine'], count: number): Scene => {
  /** The whole result of a migration without a fault. */
  let migrated: string | undefined;
  return {
    name: count === 0 ? `create ${engine}` : `migrate ${engine}`,
    engine,
    kibibytes: 1024,
    prepare: async ({ folder, createPostgres }) => {
      const database = engine === 'SQLite' ? join(folder, 'p.sqlite') : await createPostgres();
      if (count > 0) await createOlder(database, count);
      const before = count > 0 ? (await lookAt(database)).all : '';
      return {
        args: ['migrate', '--database', database],
        state: async () => {
          if (isMissing(database)) return count === 0 ? 'before' : 'partial';
          const now = await lookAt(database).catch((error) => {
            if (count === 0 && /schema_migrations/.test(`${error}`)) return { migrations: [], all: '' };
            throw error;
          });
          if (now.all === before) return 'before';
          if (now.migrations.join() !== migrations[engine].join()) return 'partial';
          migrated ??= now.all;
          return now.all === migrated ? 'after' : 'partial';
        },
      };
    },
  };
};

/** Restores a backup where a killed server has left a database with its log. The replaced one must be kept. */
const restoreOver = (backup: string, expected: string): Scene => ({
  name: 'restore',
  engine: 'SQLite',
  kibibytes: 4096,
  prepare: async ({ folder }) => {
    const database = join(folder, 'p.sqlite');
    const place = join(folder, 'first.sqlite');
    copyFileSync(backup, place);
    const client = new Database(place);
    client.run('PRAGMA journal_mode = WAL');
    client.run("UPDATE plants SET name = 'replaced'");
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(place + suffix, database + suffix);
    client.close(true);
    const replaced = await contentOf(place);
    return {
      args: ['restore', backup, '--database', database],
      state: async () => {
        const content = await contentOf(database);
        if (content === replaced) return 'before';
        const kept = readdirSync(folder).filter((name) => name.endsWith('.replaced'));
        const contents = await Promise.all(kept.map((name) => contentOf(join(folder, name))));
        return content === expected && contents.includes(replaced) ? 'after' : 'partial';
      },
    };
  },
});

/** The scenes, with the sources of `copy`. */
export const createScenes = async (sources: { readonly sqlite: string; readonly postgres: string }) => {
  const expected = await contentOf(sources.sqlite);
  if ((await contentOf(sources.postgres)) !== expected) throw new Error('The sources differ.');
  return {
    expected,
    scenes: [
      copyTo('copy to SQLite', 'SQLite', sources.sqlite, expected),
      copyTo('copy to PostgreSQL', 'PostgreSQL', sources.sqlite, expected),
      copyTo('copy from PostgreSQL', 'SQLite', sources.postgres, expected),
      restoreOver(sources.sqlite, expected),
      migrateFrom('SQLite', 0),
      migrateFrom('SQLite', 4),
      migrateFrom('PostgreSQL', 0),
      migrateFrom('PostgreSQL', 1),
    ],
  };
};

/** The drafts that a command has left. */
export const draftsIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes('.new'));
