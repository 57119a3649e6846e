/** Errors of files and settings: one line that names what is wrong, exit code 1, or 2 for a wrong command line. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { columnNames } from '../../src/plants/transfer/format.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { hasPostgres } from '../support/store/has-postgres.ts';

/** A workplace with a plant, a folder, a broken link and a file for imports. */
const createCrowdedWorkplace = async () => {
  const work = createWorkplace();
  work.write('a.ndjson', '{"id":1,"name":"n"}\n');
  await work.run('import', 'a.ndjson');
  mkdirSync(work.file('folder'));
  symlinkSync('loop', work.file('loop'));
  return work;
};

const unknownExtension = (extension: string) =>
  `File extension ${extension} is unknown; use --format ndjson or --format csv.`;

describe('a file that cannot be used', () => {
  let work: Awaited<ReturnType<typeof createCrowdedWorkplace>>;
  beforeAll(async () => {
    work = await createCrowdedWorkplace();
  });
  afterAll(() => work[Symbol.dispose]());

  test.each<[number, string[], string]>([
    [1, ['import', 'none.csv'], 'Cannot read none.csv: no such file.'],
    [1, ['import', 'folder'], 'Cannot read folder: it is a folder.'],
    [1, ['import', 'a.ndjson/b'], 'Cannot access a.ndjson/b: a part of the path is not a folder.'],
    [1, ['import', 'loop'], 'Cannot access loop: too many symbolic links encountered.'],
    [1, ['import', 'a.ndjson', '--rejects', 'none/r'], 'Folder FOLDER/none does not exist.'],
    [
      1,
      ['import', 'a.ndjson', '--rejects', 'a.ndjson'],
      'a.ndjson exists; choose another file for the rejected rows with --rejects.',
    ],
    [1, ['export', 'none/a.csv'], 'Folder FOLDER/none does not exist.'],
    [1, ['export', 'folder'], 'folder is a folder.'],
    [1, ['export', 'a.ndjson'], 'a.ndjson exists; use --force to replace it.'],
    [1, ['backup', 'none/b.sqlite', '--force'], 'Folder FOLDER/none does not exist.'],
    [1, ['backup', 'folder', '--force'], 'folder is a folder.'],
    [1, ['backup', 'a.ndjson'], 'a.ndjson exists; use --force to replace it.'],
    [2, ['import', 'a.txt'], unknownExtension('.txt')],
    [2, ['export', 'a.csv.gz'], unknownExtension('.gz')],
    [2, ['export', 'a.json.rejected'], unknownExtension('.json')],
  ])('the error with exit code %d of %j is: %s', async (code, args, message) => {
    const before = work.files();
    const { exitCode, stdout, stderr } = await work.run(...args);
    expect({ exitCode, stdout, stderr: stderr.replaceAll(work.path, 'FOLDER') }).toEqual({
      exitCode: code,
      stdout: '',
      stderr: `plant-store: ${message}\n`,
    });
    expect(work.files()).toEqual(before);
    expect(work.read('a.ndjson')).toBe('{"id":1,"name":"n"}\n');
  });

  linuxTest('a write that the system refuses is named after the file, and not after its draft', async () => {
    for (const [command, name] of [
      ['export', '/proc/a.csv'],
      ['backup', '/proc/b.sqlite'],
    ] as const) {
      const { exitCode, stderr } = await work.run(command, name);
      expect(exitCode).toBe(1);
      expect(stderr).toEndWith(`plant-store: Cannot write ${name}: no such file.\n`);
    }
    const { stderr } = await work.run('export', '/dev/full');
    expect(stderr).toBe('plant-store: Cannot write /dev/full: no space left on device.\n');
  });
});

test('export --force and backup --force replace a file, and backup --force does not replace a pipe', async () => {
  using work = await createCrowdedWorkplace();
  work.write('old.csv', 'old');
  expect((await work.run('export', 'old.csv', '--force')).exitCode).toBe(0);
  expect(work.read('old.csv')).toStartWith(`${columnNames}\r\n1,"n",`);
  expect((await work.run('backup', 'old.csv', '--force')).exitCode).toBe(0);
  expect(work.read('old.csv')).toStartWith('SQLite format 3');
  await Bun.$`mkfifo pipe`.cwd(work.path).quiet();
  expect(await work.run('backup', 'pipe', '--force')).toMatchObject({
    exitCode: 1,
    stderr: 'plant-store: pipe is not a regular file.\n',
  });
  expect(statSync(work.file('pipe')).isFIFO()).toBe(true);
});

test.each([
  ['a.csv', ['import', 'a.csv.rejected'], 'id,name\n2,m\n'],
  ['a.txt', ['import', 'a.txt', '--format', 'csv'], 'id,name\n2,m\n'],
  ['a.jsonl', ['import', 'a.jsonl'], '{"id":2,"name":"m"}\n'],
  ['a', ['import', 'a'], '{"id":2,"name":"m"}\n'],
])('a file such as %s is imported in its format by %j', async (_name, args, content) => {
  using work = createWorkplace();
  work.write(args[1] ?? '', content);
  expect((await work.run(...args)).stderr).toStartWith('1 created');
});

test('a command that needs a database names its path and says how to create it', async () => {
  using work = createWorkplace();
  expect(await work.run('token', 'list')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `plant-store: No database at ${work.database}; run serve or migrate first.\n`,
  });
});

test.skipIf(!hasPostgres)('an error of a PostgreSQL server names the database without its password', async () => {
  using work = createWorkplace();
  const url = 'postgres://user:secret@127.0.0.1:1/plants';
  const { exitCode, stderr } = await work.runInShell('exec "$@"', 'token', 'list', '--database', url);
  expect(exitCode).toBe(1);
  expect(stderr).toBe('plant-store: Database postgres://127.0.0.1:1/plants: The server cannot be reached.\n');
});
