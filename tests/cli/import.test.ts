/** Imports of plants by the command line, from real files and pipes. */
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { idTaken, malformedJson } from '../../src/base/app-error.ts';
import { columnNames } from '../../src/plants/transfer/format.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { underTest } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { until } from '../support/until.ts';

describe('a file', () => {
  test('an NDJSON file is imported exactly: 64-bit ids, escapes, other members, blank lines, times', async () => {
    using work = createWorkplace();
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
    expect(stderr).toBe('Ignored member: "color".\n3 created, 0 replaced, 0 unchanged, 0 skipped, 0 rejected.\n');
    expect(await work.plants()).toEqual([
      '{"id":-9223372036854775808,"name":"a\\"b\\nc\u2028","tag":"t"}',
      '{"id":1000,"name":"🌱"}',
      '{"id":9223372036854775807,"name":"last","tag":""}',
    ]);
    expect((await work.run('export', '-')).stdout).toContain(
      '"createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2021-01-01T00:00:00.000Z"',
    );
  });

  test('a CSV file is imported exactly: columns in any order, quotes, line breaks, a byte order mark, an empty tag and a missing one', async () => {
    using work = createWorkplace();
    work.write(
      'a.csv',
      '\uFEFFname,id,more,tag\r\n"a ""b"", c\r\nd",9223372036854775807,x,""\r\nplain,-1,,\r\n\r\n"",0,,"t"\r\n',
    );
    expect((await work.run('import', 'a.csv')).stderr).toBe(
      'Ignored column: "more".\n3 created, 0 replaced, 0 unchanged, 0 skipped, 0 rejected.\n',
    );
    expect(await work.plants()).toEqual([
      '{"id":-1,"name":"plain"}',
      '{"id":0,"name":"","tag":"t"}',
      '{"id":9223372036854775807,"name":"a \\"b\\", c\\r\\nd","tag":""}',
    ]);
  });

  test('plants are imported and exported through pipes when the format is named', async () => {
    using work = createWorkplace();
    const pipe = `printf 'id,name\\n1,one\\n' | "$@" import - --format csv --database p.sqlite && "$@" export - --format csv --database p.sqlite`;
    const shell = Bun.spawn(['sh', '-c', pipe, 'sh', ...underTest], { cwd: work.path, stderr: 'ignore' });
    expect(await shell.stdout.text()).toMatch(new RegExp(`^${columnNames}\r\n1,"one",,+"[^"]*","[^"]*"\r\n$`));
    expect(await shell.exited).toBe(0);
  });
});

test.each(['ndjson', 'csv'])(
  'null and an empty field are an omitted member, and times may have other forms, in %s',
  async (format) => {
    using work = createWorkplace();
    const members = { tag: null, createdAt: null, updatedAt: null };
    const rows = [
      { id: 1, name: 'n', ...members },
      { id: 2, name: 'n', ...members, createdAt: '2026-05-01 11:30:00+02:00' },
      { id: 3, name: 'n', tag: 't', createdAt: '2026-05-01t09:30:00z', updatedAt: '2026-05-01T09:30:00.100000-00:00' },
    ];
    const lines = rows.map((row) => (format === 'csv' ? Object.values(row).join(',') : JSON.stringify(row)));
    work.write(`a.${format}`, [...(format === 'csv' ? ['id,name,tag,createdAt,updatedAt'] : []), ...lines].join('\n'));
    expect((await work.run('import', `a.${format}`)).stderr).toStartWith('3 created');
    expect(await work.plants()).toEqual([
      '{"id":1,"name":"n"}',
      '{"id":2,"name":"n"}',
      '{"id":3,"name":"n","tag":"t"}',
    ]);
    expect((await work.run('export', '-')).stdout.match(/"createdAt".*/g)?.slice(1)).toEqual([
      '"createdAt":"2026-05-01T09:30:00.000Z","updatedAt":"2026-05-01T09:30:00.000Z"}',
      '"createdAt":"2026-05-01T09:30:00.000Z","updatedAt":"2026-05-01T09:30:00.100Z"}',
    ]);
  },
);

const badRows: [string, string, RegExp | string][] = [
  ['no JSON', 'nope', malformedJson.syntax.message],
  ['half a row', '{"id":2,"name":"n"', malformedJson.syntax.message],
  ['a name twice', '{"id":2,"name":"n","name":"n"}', malformedJson.repeatedName.message],
  ['an id in quotes', '{"id":"2","name":"n"}', /\/id/],
  ['an id that is too great', '{"id":9223372036854775808,"name":"n"}', /\/id/],
  ['no name', '{"id":2}', /\/name/],
  ['a tag that is too long', `{"id":2,"name":"n","tag":"${'t'.repeat(101)}"}`, /\/tag/],
  ['a time that is none', '{"id":2,"name":"n","createdAt":"yesterday"}', /\/createdAt/],
  ['a time without an offset', '{"id":2,"name":"n","updatedAt":"2026-05-01T09:30:00"}', /\/updatedAt/],
  ['a time in microseconds', '{"id":2,"name":"n","updatedAt":"2026-05-01T09:30:00.000001Z"}', /\/updatedAt/],
  ['a leap second', '{"id":2,"name":"n","createdAt":"2016-12-31T23:59:60Z"}', /\/createdAt/],
  ['a name that is null', '{"id":2,"name":null}', /\/name/],
  ['an id that is null', '{"id":null,"name":"n"}', /\/id/],
  ['a tag that is a number', '{"id":2,"name":"n","tag":1}', /\/tag/],
  ['an array', '[]', /object/],
  ['a line that is too long', `{"id":2,"name":"n","x":"${'x'.repeat(70_000)}"}`, /longer than 65536 bytes/],
  ['a taken id', '{"id":1,"name":"another"}', idTaken.message],
];

describe('a bad row', () => {
  test.each(badRows)(
    'an import with %s prints the line and the reason, and imports nothing',
    async (_what, row, reason) => {
      using work = createWorkplace();
      work.write('a.ndjson', `{"id":1,"name":"n"}\n\n${row}\n{"id":3,"name":"n"}\n`);
      const { exitCode, stderr } = await work.run('import', 'a.ndjson');
      expect(exitCode).toBe(1);
      const [first = '', outcome] = stderr.trimEnd().split('\n');
      expect(first).toStartWith('line 3: ');
      expect(first).toMatch(reason);
      expect(outcome).toBe('plant-store: 1 row is invalid; nothing was imported.');
      expect(await work.plants()).toEqual([]);
      expect(existsSync(work.file('a.ndjson.rejected'))).toBe(false);
    },
  );

  test('with --partial an import keeps the good rows and writes the bad ones to a file, in their order', async () => {
    using work = createWorkplace();
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

  test('a bad row of a CSV file is named by the line on which it begins, and the rejected rows are a CSV file again', async () => {
    using work = createWorkplace();
    work.write('a.csv', 'id,name\n1,"two\nlines"\nx,bad\n01,worse\n4\n5,good\n');
    const { stderr } = await work.run('import', 'a.csv', '--partial');
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^line 4: \/id /),
      expect.stringMatching(/^line 5: \/id /),
      expect.stringMatching(/^line 6: The row has 1 field; the header has 2/),
    ]);
    expect(await work.plants()).toEqual(['{"id":1,"name":"two\\nlines"}', '{"id":5,"name":"good"}']);
    expect(work.read('a.csv.rejected').split(/\r?\n/)).toEqual(['id,name', 'x,bad', '01,worse', '4', '']);
  });

  test.each([
    ['CRLF', '\r\n'],
    ['LF', '\n'],
  ])(
    'a bad row of a CSV file with %s is named by its line, and the rejected rows can be imported once they are corrected',
    async (_name, lineEnd) => {
      using work = createWorkplace();
      const tooLong = `4,"${'n'.repeat(70_000)}"`;
      const rows = [
        'id,name',
        '1000,"a\r\nb\r\nc"',
        'x,bad',
        '',
        '',
        'y,"wor\r\nse"',
        '3,"',
        'four"',
        tooLong,
        '5,good',
      ];
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
    },
  );

  test('a rejected row keeps its bytes; those whose id is taken come after the invalid ones', async () => {
    using work = createWorkplace();
    await work.fill(1);
    const bad = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d, 0x0d, 0x0a]);
    const taken = Buffer.from('{"name":"\u009bä€😀\u2028" , "id":0.0}\r\n');
    work.write('a.ndjson', Buffer.concat([taken, bad]));
    const { stderr } = await work.run('import', 'a.ndjson', '--partial');
    expect(stderr.match(/^line \d: /gm)).toEqual(['line 2: ', 'line 1: ']);
    expect(readFileSync(work.file('a.ndjson.rejected'))).toEqual(Buffer.concat([bad, taken]));
  });

  test('a row with updatedAt before createdAt is refused; a single time is used for both', async () => {
    using work = createWorkplace();
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
    ['a column twice', 'id,name,id\n1,n,1\n', /has the column id twice/],
    ['a quote that never ends', 'id,name\n1,"n\n2,m\n', /not valid CSV from line/],
  ])('a CSV file with %s is refused whole', async (_what, content, reason) => {
    using work = createWorkplace();
    work.write('a.csv', content);
    const { exitCode, stderr } = await work.run('import', 'a.csv', '--partial');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('    at ');
    expect(await work.plants()).toEqual([]);
  });

  test('the first hundred of many invalid rows are printed', async () => {
    using work = createWorkplace();
    work.write('a.ndjson', 'x\n'.repeat(5000));
    const { stderr } = await work.run('import', 'a.ndjson', '--partial');
    expect(stderr.match(/^line \d+: /gm)).toHaveLength(100);
    expect(stderr).toContain('and 4900 more');
    const refused = (await work.run('import', 'a.ndjson')).stderr;
    expect(refused.match(/^line \d+: /gm)).toHaveLength(100);
    expect(refused).toEndWith('plant-store: At least 100 rows are invalid; nothing was imported.\n');
  });
});

describe('a row whose id belongs to another plant', () => {
  test.each([
    ['skip', '0 created, 0 replaced, 1 unchanged, 1 skipped, 0 rejected.', '{"id":1,"name":"n"}'],
    ['replace', '0 created, 1 replaced, 1 unchanged, 0 skipped, 0 rejected.', '{"id":1,"name":"new","tag":"t"}'],
  ])(
    '--on-conflict %s applies to a row whose id belongs to another plant; the same plant is no conflict',
    async (what, message, first) => {
      using work = createWorkplace();
      work.write('a.ndjson', '{"id":1,"name":"n"}\n{"id":2,"name":"n","tag":"t"}\n');
      await work.run('import', 'a.ndjson');
      const before = (await work.run('export', '-')).stdout.split('\n')[1];
      work.write('b.ndjson', '{"id":1,"name":"new","tag":"t"}\n{"id":2,"name":"n","tag":"t"}\n');
      expect((await work.run('import', 'b.ndjson', '--on-conflict', what)).stderr).toContain(message);
      expect(await work.plants()).toEqual([first, '{"id":2,"name":"n","tag":"t"}']);
      expect((await work.run('export', '-')).stdout.split('\n')[1]).toBe(before ?? '');
    },
  );
});

test('a missing file is one plain line and exit code 1, an unknown choice exit code 2', async () => {
  using work = createWorkplace();
  expect(await work.run('import', 'none.ndjson')).toMatchObject({
    exitCode: 1,
    stderr: 'plant-store: Cannot read none.ndjson: no such file.\n',
  });
  expect((await work.run('import', 'none', '--on-conflict', 'merge')).exitCode).toBe(2);
  expect((await work.run('export', '-', '--format', 'xml')).exitCode).toBe(2);
  expect((await work.run('export', 'no/such/folder/a.csv')).exitCode).toBe(1);
});

describe('an interrupted import', () => {
  const interrupted = 'Interrupted; nothing was changed.';

  test.each([
    ['ndjson', '', (id: number) => `{"id":${id},"name":"n"}\nbad\n`],
    ['csv', 'id,name\n', (id: number) => `${id},n\nbad,n\n`],
  ])(
    'an interrupted import of %s from a stalled pipe leaves the store unchanged and no file behind',
    async (format, head, rows) => {
      using work = createWorkplace();
      work.write('a.ndjson', '{"id":1,"name":"n"}\n');
      await work.run('import', 'a.ndjson');
      const running = Bun.spawn(
        [...underTest, 'import', '-', '--partial', '--format', format, '--database', work.database],
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
    },
  );

  test('an import that is interrupted while it writes leaves the store unchanged', async () => {
    using work = createWorkplace();
    await work.run('migrate');
    work.write('a.ndjson', Array.from({ length: 300_000 }, (_, id) => `{"id":${id},"name":"n"}`).join('\n'));
    const running = Bun.spawn([...underTest, 'import', 'a.ndjson', '--database', work.database], {
      cwd: work.path,
      stderr: 'pipe',
    });
    await until(() => isLocked(work.database));
    running.kill('SIGINT');
    expect(await running.exited).toBe(1);
    expect(await running.stderr.text()).toContain(interrupted);
    expect(await work.plants()).toEqual([]);
  });

  linuxTest('an import that is interrupted while another process has the lock ends in one plain line', async () => {
    using work = createWorkplace();
    await work.run('migrate');
    work.write('a.ndjson', '{"id":1,"name":"n"}\n');
    using other = new Database(work.database);
    other.run('BEGIN IMMEDIATE');
    const running = Bun.spawn([...underTest, 'import', 'a.ndjson', '--database', work.database], {
      cwd: work.path,
      stderr: 'pipe',
    });
    const files = `/proc/${running.pid}/fd`;
    await until(() => readdirSync(files).some((name) => linkOf(join(files, name)) === `${work.database}-wal`));
    running.kill('SIGTERM');
    other.run('ROLLBACK');
    expect(await running.exited).toBe(1);
    expect(await running.stderr.text()).toBe(`plant-store: ${interrupted}\n`);
    expect(await work.plants()).toEqual([]);
  });
});

describe('other writers of the database', () => {
  test('other writers do not wait while an import reads and checks rows from a slow pipe', async () => {
    using work = createWorkplace();
    await work.run('migrate');
    const running = Bun.spawn([...underTest, 'import', '-', '--partial', '--database', work.database], {
      cwd: work.path,
      stdin: 'pipe',
      stderr: 'pipe',
    });
    running.stdin.write('{"id":1,"name":"n"}\nbad\n');
    await running.stdin.flush();
    await until(() => readdirSync(work.path).some((name) => name.startsWith('stdin.rejected.')));
    expect(isLocked(work.database)).toBe(false);
    running.stdin.end();
    expect(await running.exited).toBe(0);
    expect(await running.stderr.text()).toContain('1 created');
  });

  test.each([
    ['blank lines', '\n'.repeat(3_000_000), [], 0],
    ['an invalid row', '{"id":1,"name":"n"}\nbad\n', [], 1],
    ['invalid rows and --partial', 'bad\n'.repeat(1000), ['--partial'], 0],
  ])('an import of %s succeeds or fails without the lock of the database', async (_what, content, flags, code) => {
    using work = createWorkplace();
    await work.run('migrate');
    work.write('a.ndjson', content);
    using other = new Database(work.database);
    other.run('BEGIN IMMEDIATE');
    const { exitCode, stderr } = await work.run('import', 'a.ndjson', ...flags);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(code === 0 ? '0 created' : '1 row is invalid; nothing was imported.');
  });
});

/** Whether another process writes to the database, or is about to. */
const isLocked = (database: string): boolean => {
  using client = new Database(database);
  try {
    client.run('BEGIN IMMEDIATE');
    client.run('ROLLBACK');
    return false;
  } catch {
    return true;
  }
};

/** The target of an open descriptor; nothing if it was closed meanwhile. */
const linkOf = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};
