/** A backup that takes the place of a database, which may be damaged, in use or missing. */
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { freshDatabase } from '../support/postgres/postgres-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { damagePagesWith } from '../support/store/damaged-file.ts';

/** A database with three plants, of which the backup has two. */
const createPlaces = async () => {
  const work = createWorkplace();
  await work.fill(2);
  await work.run('backup', 'backup.sqlite');
  work.write('late.ndjson', '{"id":9,"name":"late"}\n');
  await work.run('import', 'late.ndjson');
  return {
    ...work,
    /** The file that has the replaced database. */
    kept: () => work.files().find((name) => name.endsWith('.replaced')) ?? 'none',
    plantsIn: (name: string): number => {
      using client = new Database(work.file(name));
      return client.query<{ total: number }, []>('SELECT count(*) AS total FROM plants').get()?.total ?? -1;
    },
  };
};

/** Leaves the log that a killed server leaves. */
const leaveLog = async (work: Awaited<ReturnType<typeof createPlaces>>): Promise<void> => {
  const client = new Database(work.database);
  client.run(
    "INSERT INTO plants (id, name, created_at, updated_at) VALUES (10, 'in the log', '2026-01-01', '2026-01-01')",
  );
  for (const suffix of ['-wal', '-shm']) copyFileSync(work.database + suffix, work.file(`saved${suffix}`));
  copyFileSync(work.database, work.file('saved'));
  client.close(true);
  for (const suffix of ['', '-wal', '-shm']) renameSync(work.file(`saved${suffix}`), work.database + suffix);
};

test('a restored database has the plants of the backup, and the replaced one is kept under a name with the time', async () => {
  using work = await createPlaces();
  const { exitCode, stdout, stderr } = await work.run('restore', 'backup.sqlite');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(work.kept()).toMatch(/^p\.sqlite\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.replaced$/);
  expect(stderr).toEndWith(`The replaced database is kept as ${work.file(work.kept())}.\n`);
  expect(await work.plants()).toHaveLength(2);
  expect([work.modeOf('p.sqlite'), work.modeOf(work.kept())]).toEqual([0o600, 0o600]);
  expect(work.plantsIn(work.kept())).toBe(3);
  expect(work.files().filter((name) => /new|lock/.test(name))).toEqual([]);
  expect(await work.run('restore', 'backup.sqlite')).toMatchObject({ exitCode: 0 });
});

test('a backup is restored where there is no database, and no folder', async () => {
  using work = await createPlaces();
  const target = work.file('a/b/p.sqlite');
  const restored = await runCommand(['restore', 'backup.sqlite', '--database', target], { cwd: work.path });
  expect(restored.stderr).not.toContain('is kept as');
  expect(restored.exitCode).toBe(0);
  expect(work.plantsIn('a/b/p.sqlite')).toBe(2);
});

test('a database is restored beside its log, and the log is kept with the replaced one', async () => {
  using work = await createPlaces();
  await leaveLog(work);
  expect(await work.run('restore', 'backup.sqlite')).toMatchObject({ exitCode: 0 });
  expect(existsSync(`${work.database}-wal`)).toBe(false);
  expect(work.plantsIn(work.kept())).toBe(4);
  expect(await work.plants()).toHaveLength(2);
});

test.each([
  ['pages of no type', (path: string) => damagePagesWith(path, 'late')],
  ['no header', (path: string) => truncateSync(path, 0)],
  ['another header', (path: string) => new Database(path).close()],
])('a damaged database with a log is replaced, and kept as it was: %s', async (_, damage) => {
  using work = await createPlaces();
  await leaveLog(work);
  damage(work.database);
  const [before, log] = [readFileSync(work.database), readFileSync(`${work.database}-wal`)];
  expect(await work.run('restore', 'backup.sqlite')).toMatchObject({ exitCode: 0 });
  expect(await work.plants()).toHaveLength(2);
  expect(readFileSync(work.file(work.kept())).equals(before)).toBe(true);
  expect(readFileSync(work.file(`${work.kept()}-wal`)).equals(log)).toBe(true);
});

test('a log without its database is kept, and not applied to the backup', async () => {
  using work = await createPlaces();
  await leaveLog(work);
  rmSync(work.database);
  expect(await work.run('restore', 'backup.sqlite')).toMatchObject({ exitCode: 0 });
  expect(await work.plants()).toHaveLength(2);
  expect(work.files().filter((name) => name.endsWith('.replaced-wal'))).toHaveLength(1);
});

test('restore refuses a database that a server uses, and changes nothing', async () => {
  using work = await createPlaces();
  await using server = await startServer(work.database);
  const before = work.files();
  const { exitCode, stderr } = await work.run('restore', 'backup.sqlite');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Database ${work.database} is in use. Stop serve`)]);
  expect(work.files()).toEqual(before);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test('restore refuses what is no intact backup of this program or an earlier version, and changes nothing', async () => {
  using work = await createPlaces();
  using other = new Database(work.file('other.sqlite'));
  other.run('CREATE TABLE t (x)');
  copyFileSync(work.file('backup.sqlite'), work.file('newer.sqlite'));
  using newer = new Database(work.file('newer.sqlite'));
  newer.run("INSERT INTO schema_migrations VALUES ('9999_newer', 'x', '2026-01-01')");
  newer.close(true);
  copyFileSync(work.file('backup.sqlite'), work.file('damaged.sqlite'));
  damagePagesWith(work.file('damaged.sqlite'), 'plant.created');
  work.write('text', 'no database\n'.repeat(100));
  mkdirSync(work.file('folder'));
  const before = work.files();
  const content = readFileSync(work.database);
  for (const [file, reason] of [
    ['other.sqlite', 'belongs to another program'],
    ['newer.sqlite', 'was written by a newer version'],
    ['damaged.sqlite', 'is damaged'],
    ['text', 'is not a SQLite database'],
    ['folder', 'is not a file'],
    ['absent', 'There is no file absent.'],
    ['p.sqlite', 'is the database or its log'],
  ] as const) {
    const { exitCode, stderr } = await work.run('restore', file);
    expect([file, exitCode, stderr]).toEqual([file, 1, expect.stringContaining(reason)]);
  }
  expect(work.files().filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual(before);
  expect(readFileSync(work.database).equals(content)).toBe(true);
});

test('restore refuses to replace the database of another program', async () => {
  using work = await createPlaces();
  using other = new Database(work.file('other.sqlite'));
  other.run('CREATE TABLE t (x)');
  other.close(true);
  const args = ['restore', 'backup.sqlite', '--database', 'other.sqlite'];
  const { exitCode, stderr } = await runCommand(args, { cwd: work.path });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('belongs to another program')]);
});

test('restore of a PostgreSQL database names pg_restore', async () => {
  using work = await createPlaces();
  await using database = await freshDatabase();
  const { exitCode, stderr } = await runCommand(['restore', 'backup.sqlite', '--database', database.url], {
    cwd: work.path,
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Use pg_restore for PostgreSQL')]);
});

test.skipIf(process.getuid?.() !== 0)(
  'a database that root restores belongs to the owner of the replaced one',
  async () => {
    using work = await createPlaces();
    chownSync(work.database, 65534, 65534);
    await work.run('restore', 'backup.sqlite');
    expect(statSync(work.database)).toMatchObject({ uid: 65534, gid: 65534 });
  },
);
