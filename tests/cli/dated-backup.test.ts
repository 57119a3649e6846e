/** Backups with the time in their names, and what a service shows of them. */
import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';

const createPlaces = async () => {
  const work = createWorkplace();
  await work.fill(3);
  const folder = work.file('a/backups');
  return {
    ...work,
    folder,
    backUp: (...args: string[]) =>
      runCommand(['backup', ...args, '--database', work.database], { env: { BACKUP_FOLDER: folder } }),
  };
};

test('a backup without a file has its time as its name, in a folder that is created', async () => {
  using work = await createPlaces();
  const { exitCode, stderr } = await work.backUp();
  expect(exitCode).toBe(0);
  const [name = '', ...others] = readdirSync(work.folder);
  expect(others).toEqual([]);
  expect(name).toMatch(/^plants-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/);
  expect(stderr).toContain(`The backup is complete: ${work.folder}/${name}, `);
  expect(await work.run('restore', `${work.folder}/${name}`)).toMatchObject({ exitCode: 0 });
});

test.each([
  [[], 7],
  [['--keep', '2'], 2],
])('the newest backups are kept, with %j %d of them, and no other file is removed', async (args, kept) => {
  using work = await createPlaces();
  mkdirSync(work.folder, { recursive: true });
  const days = Array.from({ length: 9 }, (_, day) => `plants-2026-01-0${day + 1}T03-00-00Z.sqlite`);
  const others = ['plants-2026-01-01.sqlite', 'notes.txt', 'plants-2026-01-01T03-00-00Z.sqlite.0123.new'];
  for (const name of [...days, ...others]) work.write(`a/backups/${name}`, '');
  expect((await work.backUp(...args)).stderr).toContain('Removed: plants-2026-01-01T03-00-00Z.sqlite');
  const left = readdirSync(work.folder).filter((name) => !others.includes(name));
  expect(left.sort().slice(0, -1)).toEqual(days.slice(1 - kept));
  expect(left).toHaveLength(kept);
  expect(readdirSync(work.folder)).toEqual(expect.arrayContaining(others));
});

test('a backup that fails removes no other', async () => {
  using work = await createPlaces();
  await work.backUp();
  const before = readdirSync(work.folder);
  rmSync(work.database);
  expect(await work.backUp('--keep', '1')).toMatchObject({ exitCode: 1 });
  expect(readdirSync(work.folder)).toEqual(before);
});

test('a backup without a file and without a folder is refused', async () => {
  using work = await createPlaces();
  const { exitCode, stderr } = await work.run('backup');
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('BACKUP_FOLDER must be set, or a file must be named.'),
  ]);
});

test('a service shows when the newest backup was written, 0 without one, and nothing without a folder', async () => {
  using work = await createPlaces();
  const token = (await work.run('token', 'create', '--name', 'a')).stdout.trim();
  const timeIn = async (url: string): Promise<string | undefined> => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    return /^plant_store_backup_timestamp_seconds (.*)$/m.exec(await response.text())?.[1];
  };
  await using server = await startServer(work.database, { env: { BACKUP_FOLDER: work.folder } });
  expect(await timeIn(server.url)).toBe('0');
  await work.backUp();
  const [name] = readdirSync(work.folder);
  utimesSync(`${work.folder}/${name}`, 1000, 2000);
  work.write('a/backups/unfinished.new', '');
  expect(await timeIn(server.url)).toBe('2000');

  await using other = await startServer(work.database);
  expect(await timeIn(other.url)).toBeUndefined();
});
