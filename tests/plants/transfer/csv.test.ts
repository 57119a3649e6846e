import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { plantToJson } from '../../../src/plants/plant.ts';
import { csv } from '../../../src/plants/transfer/csv.ts';
import { chunksOf } from '../../support/chunks.ts';

const read = async (text: string, chunkBytes: number): Promise<unknown[]> => {
  const rows: unknown[] = [];
  for await (const batch of csv.readRows(chunksOf(text, chunkBytes))) {
    for (const row of batch)
      rows.push({ line: row.line, raw: Buffer.from(row.raw(), 'latin1').toString(), value: row.parse() });
  }
  return rows;
};

const quoted = ['"q"', '"a,b"', '"two\nlines"', '"two\r\nlines"', '"say ""hi"""'];
const record = fc.record({
  id: fc.nat(99),
  cell: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('a', 'Monstera', 'ä€😀', ' b ') },
    { weight: 1, arbitrary: fc.constantFrom(...quoted) },
  ),
  end: fc.constantFrom('\n', '\r\n'),
  blank: fc.constantFrom('', '', '', '\n', '\r\n\n', '\n\r\n'),
});

const cuts = fc.integer({ min: 1, max: 60 });
const delimiters = fc.constantFrom(',', ';', '\t');

const countLines = (text: string): number => text.split('\n').length - 1;

test('the rows of a file are the same for all positions of chunk boundaries, with and without quotes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 30 }), cuts, delimiters, async (records, cut, delimiter) => {
      let text = `\uFEFFid${delimiter}name\n`;
      const expected = records.map(({ id, cell, end, blank }) => {
        text += blank;
        const line = 1 + countLines(text);
        text += `${id}${delimiter}${cell}${end}`;
        const name = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        return { line, raw: `${id}${delimiter}${cell}`, value: { id: BigInt(id), name } };
      });
      expect(await read(text, cut)).toEqual(expected);
    }),
  );
});

test('a record without an end is refused, and does not fill the memory', async () => {
  await expect(read(`id,name\n1,${'n'.repeat(3 * 1024 * 1024)}`, 64 * 1024)).rejects.toThrow(
    /not valid CSV from line 2 on/,
  );
});

const bytes = (count: number): string => `1,${'n'.repeat(count - 2)}`;
const fields = (count: number): string => `1,a${','.repeat(count - 2)}`;

describe.each([
  ['without quotes', 'id,name\n'],
  ['after a record with quotes', 'id,name\n0,"a"\n'],
])('a record %s', (_where, before) => {
  test.each<[string, (count: number) => string, number]>([
    ['bytes', bytes, 1024 * 1024],
    ['fields', fields, 16_384],
  ])('may have so many %s, and the file is refused with one more', async (what, record, most) => {
    const line = before.split('\n').length;
    const read = async (text: string) => {
      let lines = 0;
      for await (const rows of csv.readRows(chunksOf(text, 64 * 1024))) lines += rows.length;
      return lines;
    };
    expect(await read(`${before}${record(most)}\n`)).toBe(line - 1);
    for (const end of ['\n', '', '\n2,b\n'])
      await expect(read(`${before}${record(most + 1)}${end}`)).rejects.toThrow(
        `The file is not valid CSV from line ${line} on: the record has more than ${most} ${what}`,
      );
  });
});

test.each([
  ['id,name\n\n1,"a\nb"\n2,"c\n3,d\n', 5, 'a quote is not closed'],
  ['id,name\n1,"a"\n2,b"c"\n', 3, 'a quote is in a field that does not begin with one'],
  ['id,name\n1,"a""b', 2, 'a quote is not closed'],
  ['id,name\n1,"a"b\n2,b\n', 2, 'a closing quote is not followed by a comma or a line end'],
  ['id;name\n1;"a",b\n', 2, 'a closing quote is not followed by a semicolon or a line end'],
  [
    `id,name\n1,"a\n${'2,b\n'.repeat(300_000)}`,
    2,
    'the record has more than 1048576 bytes, since a quote is not closed',
  ],
])('a misplaced quote in %# is named by the line on which its record begins', async (text, line, reason) => {
  await expect(read(text, 64 * 1024)).rejects.toThrow(`The file is not valid CSV from line ${line} on: ${reason}.`);
});

test('blank lines before the header do not fill the memory, nor hide it', async () => {
  expect(await read(`${'\n'.repeat(3 * 1024 * 1024)}id;name\n1;a\n`, 64 * 1024)).toHaveLength(1);
});

test('many blank lines take no longer than as many rows', async () => {
  expect(await read(`id,name\n${'\n'.repeat(500_000)}1,a`, 64 * 1024)).toEqual([
    { line: 500_002, raw: '1,a', value: { id: 1n, name: 'a' } },
  ]);
});

test('a lone CR is part of a field, for all positions of chunk boundaries', async () => {
  for (const cut of [1, 9, 10, 100]) {
    expect(await read('id,name\n1,a\rb\n2,c\r', cut)).toMatchObject([
      { value: { id: 1n, name: 'a\rb' } },
      { value: { id: 2n, name: 'c\r' } },
    ]);
  }
});

test('the columns of CSV are the members of a plant in JSON but its picture, in the same order', () => {
  const time = '2026-05-01T09:30:00.000Z';
  const { picture: _, ...members } = plantToJson({ id: 1n, name: 'n', tag: 't', createdAt: time, updatedAt: time });
  expect(csv.head).toBe(`${Object.keys(members).join(',')}\r\n`);
});
