/** Files that are not UTF-8, or only in part. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createWorkplace } from '../support/programs/workplace.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const created = (count: number, rejected: number): string =>
  `${count} created, 0 replaced, 0 unchanged, 0 skipped, ${rejected} rejected.\n`;

describe('a row that is not UTF-8', () => {
  test.each<[string, string, number]>([
    ['after rows', 'id,name\n1,a\n2,b\n3,Le\xf3n\n', 4],
    ['after CRLF', 'id,name\r\n1,a\r\n3,Le\xf3n\r\n4,c\r\n', 3],
    ['after line breaks in quotes', 'id,name\n1,"a\nb\r\nc\rd"\n\n3,"Le\xf3n"\n4,c\n', 6],
    ['after a byte order mark', '\xef\xbb\xbfid,name\n1,a\n3,\xff\n4,c\n', 3],
    ['whose line break is in quotes', 'id,name\n3,"Le\n\xf3n"\n1,a\n4,c\n', 2],
    ['at the end, in the middle of a character', 'id,name\n1,a\n4,c\n3,Le\xc3', 4],
    ['with an unknown column', 'id,x,name\n1,x,a\n3,\xe9,n\n4,x,c', 3],
    ['in a large file', `id,name\n${'1,\xc3\xa4\xf0\x9f\x98\x80\n'.repeat(100_000)}3,Le\xf3n\n4,c\n`, 100_002],
  ])(
    'a row of a CSV file that is not UTF-8, %s, is named by its line, and --partial imports the others',
    async (_where, text, line) => {
      using work = createWorkplace();
      work.write('a.csv', latin1(text));
      expect(await work.run('import', 'a.csv')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`line ${line}: The row is not valid UTF-8; save the file in UTF-8,`),
      });
      expect(await work.plants()).toEqual([]);
      const partial = await work.run('import', 'a.csv', '--partial');
      expect(partial.exitCode).toBe(0);
      expect(partial.stderr).toMatch(
        new RegExp(
          `^line ${line}: The row is not valid UTF-8; save the file in UTF-8, as "CSV UTF-8" of a spreadsheet is\\.$`,
          'm',
        ),
      );
      expect(partial.stderr).toContain(' 1 rejected.');
      expect(await work.plants()).toHaveLength(2);
      const [, rejected = ''] = /\n(3[\s\S]*)\n$/.exec(readFileSync(work.file('a.csv.rejected'), 'latin1')) ?? [];
      expect(rejected).not.toBe('');
      expect(text).toContain(rejected);
    },
  );

  test('a line of NDJSON that is not UTF-8 is named, and --partial imports the others', async () => {
    using work = createWorkplace();
    work.write('a.ndjson', latin1('{"id":1,"name":"n"}\r\n{"id":3,"name":"Le\xf3n"}\r\n{"id":4,"name":"m"}'));
    const { stderr } = await work.run('import', 'a.ndjson', '--partial');
    expect(stderr).toContain('line 2: The JSON text is not UTF-8.\n');
    expect(stderr).toEndWith(created(2, 1));
  });
});

const csv = 'id,name\n1,n\n';
const ndjson = '{"id":1,"name":"n"}\n';

test.each([
  ['a.csv', csv],
  ['a.ndjson', ndjson],
])('%s may have a byte order mark, once', async (name, content) => {
  using work = createWorkplace();
  work.write(name, `\uFEFF${content}`);
  expect((await work.run('import', name)).stderr).toBe(created(1, 0));
  work.write(name, `\uFEFF\uFEFF${content}`);
  expect((await work.run('import', name)).exitCode).toBe(1);
});

describe('UTF-16', () => {
  const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
  const utf16be = (text: string): Buffer => utf16le(text).swap16();

  test.each<[string, string, Buffer, string]>([
    ['a.csv', 'with a mark', utf16le(`\uFEFF${csv}`), '"id,name"'],
    ['a.csv', 'without a mark', utf16le(csv), '"id,name"'],
    ['a.csv', 'with the other order of bytes and a mark', utf16be(`\uFEFF${csv}`), '"id,name"'],
    ['a.csv', 'with the other order of bytes, without a mark', utf16be(csv), '"id,name"'],
    ['a.csv', 'with tabs, as Excel writes it', utf16le('\uFEFFid\tname\r\n1\tn\r\n'), '"id\\tname"'],
    ['a.ndjson', 'with a mark', utf16le(`\uFEFF${ndjson}`), JSON.stringify(ndjson.trim())],
    ['a.ndjson', 'without a mark', utf16be(ndjson), JSON.stringify(ndjson.trim())],
  ])('%s in UTF-16 %s is refused, and the message shows its first line', async (name, _how, content, line) => {
    using work = createWorkplace();
    work.write(name, content);
    expect(await work.run('import', name, '--partial')).toMatchObject({
      exitCode: 1,
      stderr: `plant-store: The file is in UTF-16; save it in UTF-8, as "CSV UTF-8" of a spreadsheet is. Its first line is ${line}.\n`,
    });
  });
});
