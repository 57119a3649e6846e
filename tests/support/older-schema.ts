/** Databases of earlier versions: only the first migrations are applied. Each has one plant. */
import { postgresMigrations, sqliteMigrations } from '../../db/migrations.ts';
import { isPostgresUrl, parsePostgresUrl } from '../../src/base/postgres-url.ts';
import { migrate as migratePostgres } from '../../src/store/postgres/migrate.ts';
import { addressesOf } from '../../src/store/postgres/session/address.ts';
import { connect } from '../../src/store/postgres/session/connect.ts';
import { migrate as migrateSqlite } from '../../src/store/sqlite/migrate.ts';
import { openDatabase } from './sqlite.ts';

/** The columns that every version has. */
export const insertPlant = `INSERT INTO plants (id, name, created_at, updated_at)
  VALUES (1, 'n', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;

export const createOlderSqlite = (path: string, count: number): void => {
  using client = openDatabase(path);
  client.run('PRAGMA journal_mode = WAL');
  migrateSqlite(client, sqliteMigrations.slice(0, count));
  client.run(insertPlant);
};

const createOlderPostgres = async (url: string, count: number): Promise<void> => {
  const session = await connect(addressesOf(parsePostgresUrl(url)), async () => {});
  try {
    await migratePostgres(session, { create: true, migrations: postgresMigrations.slice(0, count) });
    await session.sql.simple(insertPlant);
  } finally {
    session.close();
  }
};

/** Creates a database with this number of migrations at a path or a URL. */
export const createOlder = async (database: string, count: number): Promise<void> =>
  isPostgresUrl(database) ? createOlderPostgres(database, count) : createOlderSqlite(database, count);
