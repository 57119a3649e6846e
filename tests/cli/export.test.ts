/** Exports of plants by the command line, to real files and pipes. */
import { describe, expect, test } from 'bun:test';
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import fc from 'fast-check';
import { int64Max, int64Min } from '../../src/base/int64.ts';
import { columnNames } from '../../src/plants/transfer/format.ts';
import { anyCharacter } from '../support/any-character.ts';
import { runCommand } from '../support/programs/command.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { underTest } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';

describe('an export', () => {
  test('any store that is exported, imported into an empty store and exported again gives the same bytes, in both formats', async () => {
    using work = createWorkplace();
    const store = await openTestStore(work.database);
    const text = (lengthMax: number) =>
      fc
        .string({ unit: anyCharacter, maxLength: lengthMax })
        .map((characters) => characters.replaceAll('\0', ''))
        .filter((characters) => [...characters].length <= lengthMax);
    const edges = fc.constantFrom(
      '',
      ' ',
      '"',
      '""',
      ',',
      '\r',
      '\n',
      '\r\n',
      '\uFEFF',
      "'",
      '\t',
      '-',
      '=1+1',
      ' x ',
      '\\',
    );
    const plants = fc.sample(
      fc.record(
        {
          id: fc.bigInt({ min: int64Min, max: int64Max }),
          name: fc.oneof(text(500), edges),
          tag: fc.oneof(text(100), edges),
        },
        { requiredKeys: ['id', 'name'] },
      ),
      600,
    );
    await store.plants.putAll((put) => put(plants, 'leave'));
    await store.close();
    for (const format of ['ndjson', 'csv']) {
      const copy = ['--database', work.file(`${format}.sqlite`)];
      expect((await work.run('export', `1.${format}`)).exitCode).toBe(0);
      expect((await runCommand(['import', work.file(`1.${format}`), ...copy])).exitCode).toBe(0);
      expect((await runCommand(['export', work.file(`2.${format}`), ...copy])).exitCode).toBe(0);
      expect(work.read(`2.${format}`) === work.read(`1.${format}`)).toBe(true);
      expect(work.read(`1.${format}`).length).toBeGreaterThan(600);
    }
    expect(work.drafts()).toEqual([]);
  });

  test('another program reads the same plants from an exported CSV file', async () => {
    using work = createWorkplace();
    work.write('a.ndjson', '{"id":-5,"name":"a \\"b\\", c\\nd","tag":"t"}\n{"id":9223372036854775807,"name":""}\n');
    await work.run('import', 'a.ndjson');
    await work.run('export', 'a.csv');
    expect(work.read('a.csv')).toMatch(
      new RegExp(`^${columnNames}\r\n-5,"a ""b"", c\nd","t",+"[^"]*Z","[^"]*Z"\r\n9223372036854775807,"",,`),
    );
  });

  test('an export of an empty store is an empty file, or a header', async () => {
    using work = createWorkplace();
    await work.run('migrate');
    expect((await work.run('export', '-')).stdout).toBe('');
    expect((await work.run('export', '-', '--format', 'csv')).stdout).toBe(`${columnNames}\r\n`);
    work.write('empty.ndjson', '');
    expect((await work.run('import', 'empty.ndjson')).exitCode).toBe(0);
  });

  linuxTest.each([10, 100, 3000])('an export of %d rows to a full disk fails', async (rows) => {
    using work = createWorkplace();
    await work.fill(rows);
    const { exitCode, stderr } = await work.runInShell('"$@" >/dev/full', 'export', '-', '--database', work.database);
    expect(exitCode).toBe(1);
    expect(stderr).toBe('plant-store: Cannot write to stdout: no space left on device.\n');
  });

  linuxTest('an export that fails leaves the last one in place, and no draft', async () => {
    using work = createWorkplace();
    await work.fill(20_000);
    work.write('a.ndjson', 'the last one');
    // No file may grow past 100 KiB; with the signal ignored, a write only returns an error.
    const { exitCode } = await work.runInShell(
      'trap "" XFSZ; ulimit -f 200; exec "$@"',
      'export',
      'a.ndjson',
      '--force',
      '--database',
      work.database,
    );
    expect(exitCode).toBe(1);
    expect(work.read('a.ndjson')).toBe('the last one');
    expect(work.drafts()).toEqual([]);
  });

  test('an export that is interrupted leaves no draft', async () => {
    using work = createWorkplace();
    const files = () => work.files().filter((name) => name.startsWith('a.ndjson'));
    // An export that ends before the signal is repeated with more plants.
    for (let rows = 50_000; ; rows *= 2) {
      await work.fill(rows);
      const running = Bun.spawn([...underTest, 'export', 'a.ndjson', '--database', work.database], {
        cwd: work.path,
        stderr: 'ignore',
      });
      await until(() => files().length > 0);
      running.kill('SIGTERM');
      if ((await running.exited) === 1) break;
      rmSync(work.file('a.ndjson'));
    }
    expect(files()).toEqual([]);
  });

  linuxTest.each(['that is full', 'without a reader'])('a signal ends an export to a pipe %s', async (which) => {
    using work = createWorkplace();
    await work.fill(10_000);
    await Bun.$`mkfifo pipe`.cwd(work.path).quiet();
    const reader =
      which === 'that is full' ? openSync(work.file('pipe'), constants.O_RDONLY | constants.O_NONBLOCK) : 0;
    const running = Bun.spawn([...underTest, 'export', 'pipe', '--database', work.database], {
      cwd: work.path,
      stderr: 'pipe',
    });
    await until(() => hasOpened(work.database, running.pid));
    running.kill('SIGTERM');
    expect(await running.stderr.text()).toBe('plant-store: Interrupted; nothing was changed.\n');
    expect(await running.exited).toBe(1);
    if (reader > 0) closeSync(reader);
  });

  test.each(['export', 'backup'])('%s never replaces the database or its log', async (command) => {
    using work = createWorkplace();
    await work.fill(10);
    symlinkSync(work.database, work.file('link'));
    const before = readFileSync(work.database);
    for (const target of ['p.sqlite', './p.sqlite', 'link', 'p.sqlite-wal', 'p.sqlite-shm', 'p.sqlite-journal']) {
      const { exitCode, stderr } = await work.run(command, target, ...(command === 'backup' ? ['--force'] : []));
      expect(stderr).toContain('is the database or its log');
      expect(exitCode).toBe(1);
    }
    expect(readFileSync(work.database)).toEqual(before);
    expect(await work.plants()).toHaveLength(10);
  });

  test('an export can be written to a pipe and through a link', async () => {
    using work = createWorkplace();
    await work.fill(5);
    await Bun.$`mkfifo pipe && touch file && ln -s file link`.cwd(work.path).quiet();
    const reader = Bun.spawn(['cat', 'pipe'], { cwd: work.path });
    expect((await work.run('export', 'pipe')).exitCode).toBe(0);
    expect((await reader.stdout.text()).split('\n')).toHaveLength(6);
    expect((await work.run('export', 'link', '--force')).exitCode).toBe(0);
    expect(work.read('file').split('\n')).toHaveLength(6);
    expect(lstatSync(work.file('link')).isSymbolicLink()).toBe(true);
  });
});

/** The program handles signals before it opens the database. */
const hasOpened = (database: string, pid: number): boolean => {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((name) => readlinkSync(`/proc/${pid}/fd/${name}`) === database);
  } catch {
    // A descriptor was closed since it was listed.
    return false;
  }
};
