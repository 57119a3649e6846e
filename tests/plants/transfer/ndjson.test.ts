import { expect, test } from 'bun:test';
import { ndjson } from '../../../src/plants/transfer/ndjson.ts';
import { chunksOf } from '../../support/chunks.ts';

const read = async (text: string, chunkBytes: number): Promise<[number, string][]> => {
  const rows: [number, string][] = [];
  for await (const batch of ndjson.readRows(chunksOf(text, chunkBytes)))
    rows.push(...batch.map((row): [number, string] => [row.line, Buffer.from(row.raw(), 'latin1').toString()]));
  return rows;
};

test('the rows of a file are the same for all positions of chunk boundaries, with blank lines before and between them', async () => {
  const text = '\n\r\n \n{"id":1}\n\n\n{"id":2}\r\n{"id":3}\n\n \r\n{"id":4}';
  for (let chunkBytes = 1; chunkBytes <= text.length; chunkBytes += 1)
    expect(await read(text, chunkBytes)).toEqual([
      [4, '{"id":1}'],
      [7, '{"id":2}\r'],
      [8, '{"id":3}'],
      [11, '{"id":4}'],
    ]);
});

test('a line of any length is cut one byte past the limit of a row, and the next line is complete', async () => {
  const rows = await read(`${'x'.repeat(3 * 1024 * 1024)}\n{"id":1}\n`, 64 * 1024);
  expect(rows.map(([line, text]) => [line, text.length])).toEqual([
    [1, 65_537],
    [2, 8],
  ]);
});

test.each(['[{"id":1}]', '\n \n[\n{"id":1}\n]', '\uFEFF[]', `[${' '.repeat(200)}`])(
  'a JSON array %j is refused, with a command that converts it',
  async (text) => {
    for (const chunkBytes of [1, 1000])
      expect(await read(text, chunkBytes).catch(({ message }) => message)).toMatch(
        /^The file is a JSON array, .*jq -c/,
      );
  },
);

test('an array on a later line is a row', async () => {
  expect(await read('{"id":1}\n[]\n', 1)).toHaveLength(2);
});
