import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { csv } from '../../../src/cli/formats/csv.ts';
import { plantToJson } from '../../../src/domain/plant.ts';

const read = async (text: string, chunkBytes: number): Promise<unknown[]> => {
  const bytes = new TextEncoder().encode(text);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const rows: unknown[] = [];
  for await (const batch of csv.readRows(chunks())) {
    for (const row of batch) rows.push({ line: row.line, raw: `${row.raw()}`, value: row.parse() });
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

const countLines = (text: string): number => text.split('\n').length - 1;

test('the rows of a file are the same for all positions of chunk boundaries, with and without quotes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), async (records, cut) => {
      let text = '\uFEFFid,name\n';
      const expected = records.map(({ id, cell, end, blank }) => {
        text += blank;
        const line = 1 + countLines(text);
        text += `${id},${cell}${end}`;
        const name = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        return { line, raw: `${id},${cell}`, value: { id: BigInt(id), name } };
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

test('the columns of CSV are the members of a plant in JSON, in the same order', () => {
  const time = '2026-05-01T09:30:00.000Z';
  const members = Object.keys(plantToJson({ id: 1n, name: 'n', tag: 't', createdAt: time, updatedAt: time }));
  expect(csv.head).toBe(`${members.join(',')}\r\n`);
});
