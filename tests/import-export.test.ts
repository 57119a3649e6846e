/** Plants in and out by the command line, on real files and pipes. */

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { int64Max, int64Min } from '../src/domain/int64.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import { temporaryFolder } from './support/folder.ts';
import { fromSource, type Outcome, runProgram, startServer } from './support/process.ts';

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
    const store = openSqliteStore(work.database);
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
    while (!existsSync(work.file('stdin.rejected'))) await Bun.sleep(5);
    running.kill('SIGINT');
    expect(await running.exited).toBe(1);
    expect(await running.stderr.text()).toContain(interrupted);
    expect(await work.plants()).toEqual(['{"id":1,"name":"n"}']);
    expect(existsSync(work.file('stdin.rejected'))).toBe(false);
  });

  test('a file that is being read', async () => {
    using work = workplace();
    work.write('a.ndjson', Array.from({ length: 300_000 }, (_, id) => `{"id":${id},"name":"n"}`).join('\n'));
    const running = Bun.spawn([...fromSource, 'import', 'a.ndjson', '--database', work.database], {
      cwd: work.path,
      stderr: 'pipe',
    });
    while (!existsSync(`${work.database}-wal`)) await Bun.sleep(5);
    await Bun.sleep(300);
    running.kill('SIGINT');
    expect(await running.exited).toBe(1);
    expect(await running.stderr.text()).toContain(interrupted);
    expect(await work.plants()).toEqual([]);
  });
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
