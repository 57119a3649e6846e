/** A database of an earlier version: only `serve`, `migrate` and `import` migrate it, since a process of that version may be using it. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import sqliteMigrations from '../../db/migrations.json' with { type: 'json' };
import postgresMigrations from '../../src/postgres/db/migrations.json' with { type: 'json' };
import { temporaryFolder } from '../support/folder.ts';
import { bareDatabase } from '../support/postgres/postgres-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { createOlder, refusal, refusingCommands } from '../support/store/older-schema.ts';
import { SQL } from '../support/store/sql.ts';
import { openDatabase, rowsOf } from '../support/store/sqlite.ts';

const commands = await refusingCommands();

const engines = {
  SQLite: {
    migrations: sqliteMigrations,
    create: async () => {
      const folder = temporaryFolder();
      return { url: folder.file('p.sqlite'), [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() };
    },
    applied: async (path: string) => {
      using client = openDatabase(path);
      return rowsOf(client, 'SELECT name FROM schema_migrations ORDER BY name').flat();
    },
  },
  PostgreSQL: {
    migrations: postgresMigrations,
    create: bareDatabase,
    applied: async (url: string) => {
      await using sql = new SQL(url, { max: 1 });
      return (await sql`SELECT name FROM schema_migrations ORDER BY name`.values()).flat();
    },
  },
};

test('the commands of this test are all that open a database, and do not migrate it', () => {
  const names = commands.map((args) => args.slice(0, 2).join(' '));
  for (const name of ['token create', 'token list', 'token revoke', 'webhook add', 'webhook list', 'export -', 'tail'])
    expect(names).toContain(name);
});

describe.each(Object.entries(engines))('%s', (_, { migrations, create, applied }) => {
  const names = migrations.map(({ name }) => name);
  const counts = names.slice(1).map((_, index) => index + 1);

  test.each(counts)('with the first %d migrations, every other command refuses it and names migrate', async (count) => {
    using folder = temporaryFolder();
    await using database = await create();
    await createOlder(database.url, count);
    const before = database.url.startsWith('/') ? readFileSync(database.url) : undefined;
    for (const args of commands) {
      const outcome = await runCommand([...args, '--database', database.url], { cwd: folder.path });
      expect(outcome, args.join(' ')).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(refusal) });
    }
    const other = folder.file('other.sqlite');
    expect(await runCommand(['copy', database.url, other])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(new RegExp(`^plant-store: FROM: .*${refusal.source}`)),
    });
    expect(await runCommand(['migrate', '--database', other])).toMatchObject({ exitCode: 0 });
    expect(await runCommand(['copy', other, database.url])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(new RegExp(`^plant-store: TO: .*${refusal.source}`)),
    });
    expect(await applied(database.url)).toEqual(names.slice(0, count));
    if (before) expect(readFileSync(database.url).equals(before)).toBe(true);
  });

  test.each(counts)('with the first %d migrations, migrate applies the others and prints them', async (count) => {
    await using database = await create();
    await createOlder(database.url, count);
    const migrate = () => runCommand(['migrate', '--database', database.url]);
    const stdout = `${names.slice(count).join('\n')}\n`;
    expect(await migrate()).toEqual({ exitCode: 0, stdout, stderr: 'The database is up to date.\n' });
    const stderr = 'The database was up to date. It was not changed.\n';
    expect(await migrate()).toEqual({ exitCode: 0, stdout: '', stderr });
    expect(await applied(database.url)).toEqual(names);
    const exported = (await runCommand(['export', '-', '--database', database.url])).stdout;
    expect(exported).toStartWith('{"id":1,"name":"n",');
  });

  test('import migrates it and says so', async () => {
    using folder = temporaryFolder();
    await using database = await create();
    await createOlder(database.url, 1);
    await Bun.write(folder.file('a.ndjson'), '{"id":2,"name":"n"}\n');
    const { exitCode, stderr } = await runCommand(['import', folder.file('a.ndjson'), '--database', database.url]);
    expect(exitCode).toBe(0);
    expect(stderr).toStartWith(`The database was migrated: ${names.slice(1).join(', ')}.\n1 created`);
    expect(await applied(database.url)).toEqual(names);
  });

  test('serve migrates it and logs that', async () => {
    await using database = await create();
    await createOlder(database.url, 1);
    await using server = await startServer(database.url);
    expect(server.log).toContainEqual(expect.objectContaining({ msg: 'migrated', migrations: names.slice(1) }));
    expect(await applied(database.url)).toEqual(names);
  });

  test('token create on a database that does not exist yet creates it with the newest schema', async () => {
    await using database = await create();
    const outcome = await runCommand(['token', 'create', '--name', 'n', '--database', database.url]);
    expect(outcome).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^plant_/), stderr: '' });
    expect(await applied(database.url)).toEqual(names);
  });
});

test('serve with READ_ONLY refuses it and changes nothing', async () => {
  await using database = await bareDatabase();
  await createOlder(database.url, 1);
  const outcome = await startServer(database.url, { args: ['--read-only'] }).catch(({ message }: Error) => message);
  expect(outcome).toMatch(/exited with 1 .*make a backup, and run migrate/);
  expect(await engines.PostgreSQL.applied(database.url)).toEqual(['0000_store']);
});

test('backup copies it as it is', async () => {
  using folder = temporaryFolder();
  const [database, copy] = [folder.file('p.sqlite'), folder.file('copy.sqlite')];
  await createOlder(database, 3);
  expect(await runCommand(['backup', copy, '--database', database])).toMatchObject({ exitCode: 0 });
  const names = sqliteMigrations.slice(0, 3).map(({ name }) => name);
  for (const file of [database, copy]) expect(await engines.SQLite.applied(file)).toEqual(names);
});
