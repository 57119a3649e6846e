/** Plants in and out by the command line, on real files and pipes. */

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { int64Max, int64Min } from '../../src/base/int64.ts';
import { openTestStore } from '../support/engines.ts';
import { temporaryFolder } from '../support/folder.ts';
import { linuxTest } from '../support/linux.ts';
import { fromSource, type Outcome, runProgram, startServer } from '../support/process.ts';
import { until } from '../support/until.ts';

/** A folder with a database, and the commands on it. */
const workplace = () => {
  const folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const run = (...args: string[]): Promise<Outcome> =>
    runProgram([...args, '--database', database], { cwd: folder.path });
  return {
    ...folder,
    database,
    run,
    write: (name: string, content: string | Uint8Array) => writeFileSync(folder.file(name), content),
    read: (name: string) => readFileSync(folder.file(name), 'utf8'),
    /** What is in the store, without times. */
    plants: async () =>
      (await run('export', '-')).stdout
        .replace(/,"createdAt":"[^"]*","updatedAt":"[^"]*"/g, '')
        .split('\n')
        .slice(0, -1),
  };
};

describe('what is imported is exported, exactly', () => {
  test('NDJSON', async () => {
    using work = workplace();
    work.write(
      'a.ndjson',
      [
        '{"id":9223372036854775807,"name":"last","tag":""}',
        ' {"tag":"t","name":"a\\"b\\nc\\u2028","id":-9223372036854775808,"color":"green"} \r',
        '',
        '{"id":1e3,"name":"🌱","createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2021-01-01T00:00:00.000Z"}',
      ].join('\n'),
    );
    const { exitCode, stdout, stderr } = await work.run('import', 'a.ndjson');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toBe('3 created, 0 replaced, 0 unchanged, 0 skipped, 0 rejected.\n');
    expect(await work.plants()).toEqual([
      '{"id":-9223372036854775808,"name":"a\\"b\\nc\u2028","tag":"t"}',
      '{"id":1000,"name":"🌱"}',
      '{"id":9223372036854775807,"name":"last","tag":""}',
    ]);
    expect((await work.run('export', '-')).stdout).toContain(
      '"createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2021-01-01T00:00:00.000Z"',
    );
  });

  test('CSV, with columns in any order, quotes, line breaks, a byte order mark, and an empty tag beside none', async () => {
    using work = workplace();
    work.write(
      'a.csv',
      '\uFEFFname,id,more,tag\r\n"a ""b"", c\r\nd",9223372036854775807,x,""\r\nplain,-1,,\r\n\r\n"",0,,"t"\r\n',
    );
    expect((await work.run('import', 'a.csv')).stderr).toBe(
      '3 created, 0 replaced, 0 unchanged, 0 skipped, 0 rejected.\n',
    );
    expect(await work.plants()).toEqual([
      '{"id":-1,"name":"plain"}',
      '{"id":0,"name":"","tag":"t"}',
      '{"id":9223372036854775807,"name":"a \\"b\\", c\\r\\nd","tag":""}',
    ]);
  });

  test('any store, by either format, into an empty store and out again: the same bytes', async () => {
    using work = workplace();
    const store = await openTestStore(work.database);
    const text = (lengthMax: number) =>
      fc
        .string({ unit: 'binary', maxLength: lengthMax })
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
      expect((await runProgram(['import', work.file(`1.${format}`), ...copy])).exitCode).toBe(0);
      expect((await runProgram(['export', work.file(`2.${format}`), ...copy])).exitCode).toBe(0);
      expect(work.read(`2.${format}`) === work.read(`1.${format}`)).toBe(true);
      expect(work.read(`1.${format}`).length).toBeGreaterThan(600);
    }
    expect(readdirSync(work.path).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('an export is CSV that another program reads the same', async () => {
    using work = workplace();
    work.write('a.ndjson', '{"id":-5,"name":"a \\"b\\", c\\nd","tag":"t"}\n{"id":9223372036854775807,"name":""}\n');
    await work.run('import', 'a.ndjson');
    await work.run('export', 'a.csv');
    expect(work.read('a.csv')).toMatch(
      /^id,name,tag,createdAt,updatedAt\r\n-5,"a ""b"", c\nd","t","[^"]*Z","[^"]*Z"\r\n9223372036854775807,"",,/,
    );
  });

  test('through pipes, with the format named', async () => {
    using work = workplace();
    const pipe = `printf 'id,name\\n1,one\\n' | "$@" import - --format csv --database p.sqlite && "$@" export - --format csv --database p.sqlite`;
    const shell = Bun.spawn(['sh', '-c', pipe, 'sh', ...fromSource], { cwd: work.path, stderr: 'ignore' });
    expect(await shell.stdout.text()).toMatch(/^id,name,tag,createdAt,updatedAt\r\n1,"one",,"[^"]*","[^"]*"\r\n$/);
    expect(await shell.exited).toBe(0);
  });

  test('an empty store is an empty file, or a header', async () => {
    using work = workplace();
    await work.run('migrate');
    expect((await work.run('export', '-')).stdout).toBe('');
    expect((await work.run('export', '-', '--format', 'csv')).stdout).toBe('id,name,tag,createdAt,updatedAt\r\n');
    work.write('empty.ndjson', '');
    expect((await work.run('import', 'empty.ndjson')).exitCode).toBe(0);
  });
});

const badRows: [string, string, RegExp][] = [
  ['no JSON', 'nope', /JSON text is not valid/],
  ['half a row', '{"id":2,"name":"n"', /JSON text is not valid/],
  ['a name twice', '{"id":2,"name":"n","name":"n"}', /twice/],
  ['an id in quotes', '{"id":"2","name":"n"}', /\/id/],
  ['an id that is too great', '{"id":9223372036854775808,"name":"n"}', /\/id/],
  ['no name', '{"id":2}', /\/name/],
  ['a tag that is too long', `{"id":2,"name":"n","tag":"${'t'.repeat(101)}"}`, /\/tag/],
  ['a time that is none', '{"id":2,"name":"n","createdAt":"yesterday"}', /\/createdAt/],
  ['a time in another form', '{"id":2,"name":"n","updatedAt":"2026-05-01T09:30:00+02:00"}', /\/updatedAt/],
  ['an array', '[]', /object/],
  ['a line that is too long', `{"id":2,"name":"n","x":"${'x'.repeat(70_000)}"}`, /longer than 65536 bytes/],
  ['a taken id', '{"id":1,"name":"another"}', /belongs to another plant/],
];

describe('a bad row', () => {
  test.each(badRows)('%s: its line and reason are told, and nothing is imported', async (_what, row, reason) => {
    using work = workplace();
    work.write('a.ndjson', `{"id":1,"name":"n"}\n\n${row}\n{"id":3,"name":"n"}\n`);
    const { exitCode, stderr } = await work.run('import', 'a.ndjson');
    expect(exitCode).toBe(1);
    const [told = '', outcome] = stderr.trimEnd().split('\n');
    expect(told).toStartWith('line 3: ');
    expect(told).toMatch(reason);
    expect(outcome).toBe('plant-store: 1 of the rows do not fit; nothing was imported.');
    expect(await work.plants()).toEqual([]);
    expect(existsSync(work.file('a.ndjson.rejected'))).toBe(false);
  });

  test('with --partial the good rows are kept and the bad ones written to a file, in their order', async () => {
    using work = workplace();
    const bad = badRows.map(([, row]) => row).filter((row) => row.length < 70_000);
    work.write('a.ndjson', ['{"id":1,"name":"n"}', ...bad, '{"id":3,"name":"n"}'].join('\n'));
    const { exitCode, stderr } = await work.run('import', 'a.ndjson', '--partial');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`2 created, 0 replaced, 0 unchanged, 0 skipped, ${bad.length} rejected.`);
    expect(await work.plants()).toEqual(['{"id":1,"name":"n"}', '{"id":3,"name":"n"}']);
    expect(work.read('a.ndjson.rejected')).toBe(`${bad.join('\n')}\n`);

    const again = await work.run('import', 'a.ndjson', '--partial');
    expect(again.exitCode).toBe(1);
    expect(work.read('a.ndjson.rejected')).toBe(`${bad.join('\n')}\n`);
    expect((await work.run('import', 'a.ndjson', '--partial', '--rejects', 'other')).stderr).toContain('2 unchanged');
  });

  test('of a CSV is told by the line on which it begins, and its rejects are a CSV again', async () => {
    using work = workplace();
    work.write('a.csv', 'id,name\n1,"two\nlines"\nx,bad\n01,worse\n4\n5,good\n');
    const { stderr } = await work.run('import', 'a.csv', '--partial');
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^line 4: \/id /),
      expect.stringMatching(/^line 5: \/id /),
      expect.stringMatching(/^line 6: The row has 1 fields/),
    ]);
    expect(await work.plants()).toEqual(['{"id":1,"name":"two\\nlines"}', '{"id":5,"name":"good"}']);
    expect(work.read('a.csv.rejected').split(/\r?\n/)).toEqual(['id,name', 'x,bad', '01,worse', '4', '']);
  });

  test.each([
    ['CRLF', '\r\n'],
    ['LF', '\n'],
  ])('of a CSV with %s is told by its line, and its rejects can be imported once mended', async (_name, lineEnd) => {
    using work = workplace();
    const tooLong = `4,"${'n'.repeat(70_000)}"`;
    const rows = ['id,name', '1000,"a\r\nb\r\nc"', 'x,bad', '', '', 'y,"wor\r\nse"', '3,"', 'four"', tooLong, '5,good'];
    work.write('a.csv', rows.join(lineEnd) + lineEnd);
    const { stderr } = await work.run('import', 'a.csv', '--rejects', 'r.csv');
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(/^line 5: \/id /),
      expect.stringMatching(/^line 8: \/id /),
      expect.stringMatching(/^line 12: The row is longer than 65536 bytes/),
      'The rejected rows are in r.csv.',
    ]);
    expect(work.read('r.csv')).toBe(`id,name\nx,bad\ny,"wor\r\nse"\n${tooLong}\n`);
    work.write(
      'mended.csv',
      work
        .read('r.csv')
        .replace('x,', '7,')
        .replace('y,', '8,')
        .replace(/n{500,}/, 'n'),
    );
    expect((await work.run('import', 'mended.csv')).stderr).toStartWith('3 created');
  });

  test('keeps its bytes in the file of rejected rows', async () => {
    using work = workplace();
    const bad = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d, 0x0d, 0x0a]);
    work.write('a.ndjson', bad);
    await work.run('import', 'a.ndjson', '--partial');
    expect(readFileSync(work.file('a.ndjson.rejected'))).toEqual(bad);
  });

  test('has no change before its creation; one time alone stands for both', async () => {
    using work = workplace();
    const [early, late] = ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'];
    work.write('a.ndjson', `{"id":1,"name":"n","createdAt":"${late}","updatedAt":"${early}"}`);
    expect((await work.run('import', 'a.ndjson')).stderr).toContain('/updatedAt must not be before /createdAt');
    work.write('b.ndjson', `{"id":1,"name":"n","updatedAt":"${early}"}\n{"id":2,"name":"n","createdAt":"${late}"}\n`);
    await work.run('import', 'b.ndjson');
    expect((await work.run('export', '-')).stdout.match(/"createdAt".*/g)).toEqual([
      `"createdAt":"${early}","updatedAt":"${early}"}`,
      `"createdAt":"${late}","updatedAt":"${late}"}`,
    ]);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['no header', '', /begin with a header/],
    ['no column for the id', 'name\nn\n', /no column id/],
    ['a column twice', 'id,name,id\n1,n,1\n', /names a column twice/],
    ['a quote that never ends', 'id,name\n1,"n\n2,m\n', /no CSV from line/],
    ['what is not UTF-8', new Uint8Array([...Buffer.from('id,name\n1,'), 0xff, 0x0a]), /not UTF-8/],
  ])('a CSV with %s is refused whole', async (_what, content, reason) => {
    using work = workplace();
    work.write('a.csv', content);
    const { exitCode, stderr } = await work.run('import', 'a.csv', '--partial');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('    at ');
    expect(await work.plants()).toEqual([]);
  });

  test('of very many the first hundred are told', async () => {
    using work = workplace();
    work.write('a.ndjson', 'x\n'.repeat(5000));
    const { stderr } = await work.run('import', 'a.ndjson', '--partial');
    expect(stderr.match(/^line \d+: /gm)).toHaveLength(100);
    expect(stderr).toContain('and 4900 more');
    expect((await work.run('import', 'a.ndjson')).stderr.match(/^line \d+: /gm)).toHaveLength(100);
  });
});

describe('a row whose id belongs to another plant', () => {
  test.each([
    ['skip', '0 created, 0 replaced, 1 unchanged, 1 skipped, 0 rejected.', '{"id":1,"name":"n"}'],
    ['replace', '0 created, 1 replaced, 1 unchanged, 0 skipped, 0 rejected.', '{"id":1,"name":"new","tag":"t"}'],
  ])('is settled by --on-conflict %s; the same content is none', async (what, told, first) => {
    using work = workplace();
    work.write('a.ndjson', '{"id":1,"name":"n"}\n{"id":2,"name":"n","tag":"t"}\n');
    await work.run('import', 'a.ndjson');
    const before = (await work.run('export', '-')).stdout.split('\n')[1];
    work.write('b.ndjson', '{"id":1,"name":"new","tag":"t"}\n{"id":2,"name":"n","tag":"t"}\n');
    expect((await work.run('import', 'b.ndjson', '--on-conflict', what)).stderr).toContain(told);
    expect(await work.plants()).toEqual([first, '{"id":2,"name":"n","tag":"t"}']);
    expect((await work.run('export', '-')).stdout.split('\n')[1]).toBe(before ?? '');
  });
});

test('a file that is not there, an option that is none: one plain line', async () => {
  using work = workplace();
  expect(await work.run('import', 'none.ndjson')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^plant-store: ENOENT.*\n$/),
  });
  expect((await work.run('import', 'none', '--on-conflict', 'merge')).exitCode).toBe(2);
  expect((await work.run('export', '-', '--format', 'xml')).exitCode).toBe(2);
  expect((await work.run('export', 'no/such/folder/a.csv')).exitCode).toBe(1);
});

describe('an interrupted import leaves the store as it was, and no file behind', () => {
  const interrupted = 'Interrupted; the store is as it was before.';

  test.each([
    ['ndjson', '', (id: number) => `{"id":${id},"name":"n"}\nbad\n`],
    ['csv', 'id,name\n', (id: number) => `${id},n\nbad,n\n`],
  ])('%s on a pipe that brings no more', async (format, head, rows) => {
    using work = workplace();
    work.write('a.ndjson', '{"id":1,"name":"n"}\n');
    await work.run('import', 'a.ndjson');
    const running = Bun.spawn(
      [...fromSource, 'import', '-', '--partial', '--format', format, '--database', work.database],
      {
        cwd: work.path,
        stdin: 'pipe',
        stderr: 'pipe',
      },
    );
    running.stdin.write(head);
    for (let row = 0; row < 20_000; row += 1) running.stdin.write(rows(row + 10));
    await running.stdin.flush();
    await until(() => readdirSync(work.path).some((name) => name.startsWith('stdin.rejected.')));
    running.kill('SIGINT');
    expect(await running.exited).toBe(1);
    expect(await running.stderr.text()).toContain(interrupted);
    expect(await work.plants()).toEqual(['{"id":1,"name":"n"}']);
    expect(readdirSync(work.path).filter((name) => name.startsWith('stdin.rejected'))).toEqual([]);
  });

  test('a file that is being read', async () => {
    using work = workplace();
    work.write('a.ndjson', Array.from({ length: 300_000 }, (_, id) => `{"id":${id},"name":"n"}`).join('\n'));
    const running = Bun.spawn([...fromSource, 'import', 'a.ndjson', '--database', work.database], {
      cwd: work.path,
      stderr: 'pipe',
    });
    while (!existsSync(`${work.database}-wal`)) await Bun.sleep(5);
    await Bun.sleep(100);
    running.kill('SIGINT');
    expect(await running.exited).toBe(1);
    expect(await running.stderr.text()).toContain(interrupted);
    expect(await work.plants()).toEqual([]);
  });
});

describe('what is written', () => {
  const fill = async (work: ReturnType<typeof workplace>, rows: number): Promise<void> => {
    work.write('fill.ndjson', Array.from({ length: rows }, (_, id) => `{"id":${id},"name":"n"}`).join('\n'));
    expect((await work.run('import', 'fill.ndjson')).exitCode).toBe(0);
  };
  const inShell = async (work: ReturnType<typeof workplace>, script: string, ...args: string[]) => {
    const shell = Bun.spawn(['sh', '-c', script, ...fromSource, ...args, '--database', work.database], {
      cwd: work.path,
      stderr: 'pipe',
    });
    return { exitCode: await shell.exited, stderr: await shell.stderr.text() };
  };

  linuxTest.each([10, 100, 3000])('an export of %d rows to a full disk fails', async (rows) => {
    using work = workplace();
    await fill(work, rows);
    const { exitCode, stderr } = await inShell(work, '"$0" "$@" >/dev/full', 'export', '-');
    expect(exitCode).toBe(1);
    expect(stderr).toStartWith('plant-store: ENOSPC');
  });

  linuxTest('an export that fails leaves the last one, and no draft', async () => {
    using work = workplace();
    await fill(work, 20_000);
    work.write('a.ndjson', 'the last one');
    // No file may grow past 100 KiB; ignoring the signal leaves the error alone.
    const { exitCode } = await inShell(work, 'trap "" XFSZ; ulimit -f 200; exec "$0" "$@"', 'export', 'a.ndjson');
    expect(exitCode).toBe(1);
    expect(work.read('a.ndjson')).toBe('the last one');
    expect(readdirSync(work.path).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('an export that is interrupted leaves no draft', async () => {
    using work = workplace();
    const files = () => readdirSync(work.path).filter((name) => name.startsWith('a.ndjson'));
    // One that ends before the signal comes is done again, with more.
    for (let rows = 200_000; ; rows *= 2) {
      await fill(work, rows);
      const running = Bun.spawn([...fromSource, 'export', 'a.ndjson', '--database', work.database], {
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

  test.each(['export', 'backup'])('%s never takes the place of the database or its log', async (command) => {
    using work = workplace();
    await fill(work, 10);
    symlinkSync(work.database, work.file('link'));
    const before = readFileSync(work.database);
    for (const target of ['p.sqlite', './p.sqlite', 'link', 'p.sqlite-wal', 'p.sqlite-shm', 'p.sqlite-journal']) {
      const { exitCode, stderr } = await work.run(command, target, ...(command === 'backup' ? ['--force'] : []));
      expect(stderr).toContain('is the database itself, or its log');
      expect(exitCode).toBe(1);
    }
    expect(readFileSync(work.database)).toEqual(before);
    expect(await work.plants()).toHaveLength(10);
  });

  test('a backup does not lie down beside the log of another database', async () => {
    using work = workplace();
    await fill(work, 10);
    work.write('copy.sqlite-wal', 'an old log');
    for (const force of [[], ['--force']]) {
      expect((await work.run('backup', 'copy.sqlite', ...force)).stderr).toContain('in the way, copy.sqlite-wal');
    }
    expect(existsSync(work.file('copy.sqlite'))).toBe(false);
    expect((await work.run('backup', '-')).exitCode).toBe(2);
    expect((await work.run('backup', 'no/such/copy.sqlite')).exitCode).toBe(1);
  });

  test('a pipe and a link are written through', async () => {
    using work = workplace();
    await fill(work, 5);
    await Bun.$`mkfifo pipe && touch file && ln -s file link`.cwd(work.path).quiet();
    const reader = Bun.spawn(['cat', 'pipe'], { cwd: work.path });
    expect((await work.run('export', 'pipe')).exitCode).toBe(0);
    expect((await reader.stdout.text()).split('\n')).toHaveLength(6);
    expect((await work.run('export', 'link')).exitCode).toBe(0);
    expect(work.read('file').split('\n')).toHaveLength(6);
    expect(lstatSync(work.file('link')).isSymbolicLink()).toBe(true);
  });
});

test.each([[['export', '-']], [['backup', 'copy.sqlite']], [['token', 'list']], [['token', 'revoke', 'tok_x']]])(
  '%j of a database that is not there fails, and makes none',
  async (args) => {
    using work = workplace();
    expect(await work.run(...args)).toMatchObject({ exitCode: 1, stdout: '' });
    expect(readdirSync(work.path)).toEqual([]);
  },
);

test('while a writer holds the database, commands that read go on', async () => {
  using work = workplace();
  work.write('a.ndjson', '{"id":1,"name":"n"}\n');
  await work.run('import', 'a.ndjson');
  await work.run('token', 'create', '--name', 'a');
  using writer = new Database(work.database);
  writer.run('BEGIN IMMEDIATE');
  expect(await work.plants()).toEqual(['{"id":1,"name":"n"}']);
  expect((await work.run('token', 'list')).stdout).toContain('\ta\t');
  expect((await work.run('backup', 'copy.sqlite')).exitCode).toBe(0);
  await using server = await startServer(work.database);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test('while a server runs, an export is one snapshot and a backup a whole database', async () => {
  using work = workplace();
  const rows = Array.from({ length: 3000 }, (_, row) => `{"id":${row},"name":"n"}`);
  work.write('a.ndjson', rows.join('\n'));
  await work.run('import', 'a.ndjson');
  const token = (await work.run('token', 'create', '--name', 'a')).stdout.trim();
  await using server = await startServer(work.database);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let isDone = false;
  const writing = (async () => {
    let id = 10_000;
    for (; !isDone; id += 1) {
      const response = await fetch(`${server.url}/plants`, {
        method: 'POST',
        headers,
        body: `{"id":${id},"name":"n"}`,
      });
      expect(response.status).toBe(200);
    }
    return id - 10_000;
  })();
  const exported = (await work.run('export', '-')).stdout.split('\n').slice(0, -1);
  const backup = await work.run('backup', 'copy.sqlite');
  isDone = true;
  expect(await writing).toBeGreaterThan(0);
  expect(backup).toMatchObject({ exitCode: 0, stdout: '' });

  const ids = exported.map((line) => Number(/"id":(\d+)/.exec(line)?.[1]));
  const late = ids.slice(3000);
  expect(ids.slice(0, 3000)).toEqual(rows.map((_, row) => row));
  expect(late).toEqual(late.map((_, at) => 10_000 + at));

  using copy = new Database(work.file('copy.sqlite'), { readonly: true });
  expect(copy.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
  expect((await work.run('backup', 'copy.sqlite')).exitCode).toBe(1);
  expect((await work.run('backup', 'copy.sqlite', '--force')).exitCode).toBe(0);
  await using restored = await startServer(work.file('copy.sqlite'));
  expect((await fetch(`${restored.url}/plants/2999`, { headers })).status).toBe(200);
});
