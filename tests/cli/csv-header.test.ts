/** Headers of CSV files as other programs write them, and the message about one that cannot be used. */
import { describe, expect, test } from 'bun:test';
import { columnNames } from '../../src/plants/transfer/format.ts';
import { createWorkplace } from '../support/programs/workplace.ts';

const importCsv = async (content: string | Uint8Array) => {
  const work = createWorkplace();
  work.write('a.csv', content);
  const outcome = await work.run('import', 'a.csv');
  return { ...work, ...outcome };
};

const expected = `Expected is a line such as ${columnNames} in UTF-8, with commas, semicolons or tabs between the columns and LF or CRLF at the end.`;

describe('a header that cannot be used', () => {
  test.each<[string, string, string]>([
    ['colons', 'id:name:tag\r\n1:n:t\r\n', 'has no column id. It is "id:name:tag".'],
    ['two delimiters', 'id;name,tag\n1;n,t\n', 'has no column id. It is "id;name,tag".'],
    ['a line for a spreadsheet before it', 'sep=;\r\nid;name\r\n', 'has no column id. It is "sep=;".'],
    ['a title before it', 'My plants,,\nid,name,tag\n1,n,t\n', 'has no column id. It is "My plants,,".'],
    ['another name', 'id,Na-me\n1,n\n', 'has no column name, but "Na-me". It is "id,Na-me".'],
    ['a known column in two cases', 'id;name;ID\n1;n;2\n', 'has the column id twice. It is "id;name;ID".'],
    ['spaces', 'id, name, tag\n1,n,t\n', 'has no column name, but " name". It is "id, name, tag".'],
    ['a known column twice', 'id,name,x,x,name\n', 'has the column name twice. It is "id,name,x,x,name".'],
    ['an optional column twice', 'tag,id,name,tag\n', 'has the column tag twice. It is "tag,id,name,tag".'],
    ['CR alone', 'id,name\r1,n\r2,m\r', 'ends with CR alone. It is "id,name\\r1,n\\r2,m\\r".'],
    [
      'CR alone after an optional column',
      'id,name,tag\r1,n,t\r',
      'ends with CR alone. It is "id,name,tag\\r1,n,t\\r".',
    ],
    [
      'a control character',
      'id\u009b,na\u001bme\n',
      'has no column id, but "id\\u009b". It is "id\\u009b,na\\u001bme".',
    ],
    ['a long line', `name${'x'.repeat(500)}\n`, `has no column id. It is "name${'x'.repeat(96)}…".`],
  ])('a header with %s is refused, and the message shows it and what is expected', async (_what, content, reason) => {
    using refused = await importCsv(content);
    expect(refused).toMatchObject({ exitCode: 1, stderr: `plant-store: The header ${reason} ${expected}\n` });
    expect(await refused.run('export', '-')).toMatchObject({ stdout: '' });
  });

  test('a large file whose lines end with CR alone is refused with the same message', async () => {
    using refused = await importCsv(`id,name,tag\r${'1,n,t\r'.repeat(20_000)}`);
    expect(refused.stderr).toStartWith(
      'plant-store: The header has more than 16384 fields. It is "id,name,tag\\r1,n,t\\r',
    );
    expect(refused.stderr).toEndWith(`…". ${expected}\n`);
  });

  test('a header that is not UTF-8 is refused', async () => {
    using refused = await importCsv(Buffer.from('id,name,caf\xe9\n1,n,x\n', 'latin1'));
    expect(refused.stderr).toBe(`plant-store: The header is not valid UTF-8. It is "id,name,caf\uFFFD". ${expected}\n`);
  });
});

describe('a header as spreadsheets write it', () => {
  test.each([
    ['semicolons and other cases', 'ID;Name;Tag\r\n1;a,b;"t;u"\r\n2;m;\r\n'],
    ['tabs', 'id\tname\ttag\n1\ta,b\tt;u\n2\tm\t\n'],
    ['a byte order mark and quotes', '\uFEFF"Id";"NAME";"tag"\r\n1;"a,b";"t;u"\r\n2;m;\r\n'],
    ['empty rows before it', ';;\r\n\r\nid;name;tag\r\n1;a,b;"t;u"\r\n;;\r\n2;m;\r\n'],
    ['a comma in another column', 'id;"x, y";name;tag\n1;0,5;a,b;"t;u"\n2;;m;\n'],
  ])('a file with %s is imported', async (_what, content) => {
    using imported = await importCsv(content);
    expect(imported.stderr).toEndWith('2 created, 0 replaced, 0 unchanged, 0 skipped, 0 rejected.\n');
    expect(await imported.plants()).toEqual(['{"id":1,"name":"a,b","tag":"t;u"}', '{"id":2,"name":"m"}']);
  });

  test('a delimiter that is not quoted shifts no field', async () => {
    using refused = await importCsv('id;name;tag\n1;a;b;t\n2;m\n');
    expect(refused.stderr).toContain('line 2: The row has 4 fields; the header has 3.\n');
    expect(refused.stderr).toContain('line 3: The row has 2 fields; the header has 3.\n');
  });
});

describe('columns that a plant does not have', () => {
  test.each([
    ['empty ones at the end', 'id,name,,\r\n1,n,,\r\n2,m,,\r\n'],
    ['empty ones at the end, which rows omit', 'id,name,,\n1,n\n2,m,\n'],
    ['an empty one at the beginning and in the middle', ',id,,name\n,1,,n\n,2,,m\n'],
    ['one with a line break in its name', 'id,"two\r\nlines",name\n1,x,n\n2,x,m\n'],
    ['the same one often', 'id,x,x,name,x\n1,a,b,n,c\n2,a,b,m,c\n'],
    ['empty rows, as a spreadsheet writes them', ',,\nid,name,\n1,n,\n,,\n2,m,\n,,\n,,\n'],
  ])('a CSV file with %s is imported', async (_what, content) => {
    using imported = await importCsv(content);
    expect(imported.stderr).toEndWith('2 created, 0 replaced, 0 unchanged, 0 skipped, 0 rejected.\n');
    expect(await imported.plants()).toEqual(['{"id":1,"name":"n"}', '{"id":2,"name":"m"}']);
  });

  test.each([
    ['1,n', /^line 2: The row has 2 fields; the header has 4\.$/m],
    ['1,n,t,,', /^line 2: The row has 5 fields; the header has 4\.$/m],
    [',n,t,', /^line 2: \/id is required/m],
  ])('the row %p of a file with an empty column is invalid', async (row, reason) => {
    using refused = await importCsv(`id,name,tag,\n${row}\n`);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(reason);
  });
});
