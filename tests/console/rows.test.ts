/** How the console reads a file that is dropped on it. The API checks the rows. */
import { describe, expect, test } from 'bun:test';
import { readSamples } from '../../console/api/samples.ts';
import { readCsv } from '../../console/plants/csv.ts';
import { fileBytesMax, readRows, rowBytesMax } from '../../console/plants/rows.ts';
import { bodyBytesMax } from '../../src/base/app-error.ts';

const fileOf = (name: string, text: string | Uint8Array<ArrayBuffer>): File => new File([text], name);

describe('CSV', () => {
  test.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['"a ""b""","c\nd"\n', [['a "b"', 'c\nd']]],
    ['a,,""\n', [['a', undefined, '']]],
    ['a\n,,\n\nb\n', [['a'], ['b']]],
    ['a,', [['a', undefined]]],
    ['', []],
  ])('%p has the fields %p', (text, expected) => {
    expect(readCsv(text).map(({ fields }) => [...fields])).toEqual(expected);
  });

  test('a field can be as long as a file', () => {
    const quotes = '""'.repeat(fileBytesMax / 4);
    const plain = 'x'.repeat(fileBytesMax / 4);
    const [row] = readCsv(`"${quotes}",${plain},"${plain}"`);
    expect(row?.fields.map((one) => one?.length)).toEqual([quotes.length / 2, plain.length, plain.length]);
    expect(() => readCsv(`"${quotes}`)).toThrow('Line 1 is not valid CSV.');
  });

  test('each row has the line on which it begins', () => {
    expect(readCsv('a\n"b\n\nc"\n\nd\n').map(({ line }) => line)).toEqual([1, 2, 6]);
  });

  test.each([
    ['a"b\n', 1],
    ['a\n"b', 2],
    ['a\n\n"b"c\n', 3],
    ['"', 1],
    ['a,"""', 1],
    ['a\rb', 1],
  ])('%p is refused from line %i on', (text, line) => {
    expect(() => readCsv(text)).toThrow(`Line ${line} is not valid CSV.`);
  });
});

test('the ids of a file are exact, and a line that cannot be sent has a reason', async () => {
  const ids = ['9223372036854775807', '-9223372036854775808'];
  const csv = await readRows(fileOf('a.csv', `name,id\nA,${ids[0]}\nB,${ids[1]}\nC,1.5\nD,-007\n`));
  expect(csv).toEqual([
    { line: 2, id: `${ids[0]}`, json: `{"name":"A","id":${ids[0]}}` },
    { line: 3, id: `${ids[1]}`, json: `{"name":"B","id":${ids[1]}}` },
    { line: 4, id: '', reason: 'The id is not an integer.' },
    { line: 5, id: '-7', json: '{"name":"D","id":-7}' },
  ]);
  const lines = [`{"id":${ids[0]},"name":"A"}`, '', '{"id":1.50}', '[]', '{', 'null'];
  const ndjson = await readRows(fileOf('a.ndjson', lines.join('\n')));
  expect(ndjson).toEqual([
    { line: 1, id: `${ids[0]}`, json: `${lines[0]}` },
    { line: 3, id: '1.50', json: '{"id":1.50}' },
    { line: 4, id: '', reason: 'The line is not a JSON object.' },
    { line: 5, id: '', reason: 'The line is not valid JSON.' },
    { line: 6, id: '', reason: 'The line is not a JSON object.' },
  ]);
});

/** What JSON.parse returns for these would have no text, could not be written again, or would lose a part. */
const oddRows = [
  ['{"id":1,"name":"A","x":{"id":2}}', '1'],
  ['{"id":{"id":[{"id":9007199254740993}]},"name":"A"}', '{"id":[{"id":9007199254740993}]}'],
  ['{"id":{"toString":1},"name":"A"}', '{"toString":1}'],
  ['{"id":{"toJSON":1,"valueOf":null}}', '{"toJSON":1,"valueOf":null}'],
  ['{"id":-0,"name":"A"}', '-0'],
  ['{"id":1e999}', '1e999'],
  ['{"id":1,"id":2}', '2'],
  ['{"__proto__":{"id":5},"constructor":6}', ''],
  ['{"id":[null,"a"]}', '[null,"a"]'],
  ['{"id":null}', 'null'],
] as const;

test('a row with odd members is sent as it is, and has its id as JSON', async () => {
  const rows = await readRows(fileOf('a.ndjson', oddRows.map(([json]) => json).join('\n')));
  expect(rows).toEqual(oddRows.map(([json, id], index) => ({ line: index + 1, id, json })));
});

test('a row that is too large, or nested too deep to be read, is rejected without the others', async () => {
  const largest = `{"id":3,"name":"${'x'.repeat(rowBytesMax - 18)}"}`;
  const deep = `${'{"id":'.repeat(1e6)}1${'}'.repeat(1e6)}`;
  const id = '7'.repeat(rowBytesMax);
  const text = [largest, largest.replace('xx', 'é'), largest.replace('x', 'xx'), deep, `{"id":${id}}`, '{"id":1}'];
  expect(Buffer.byteLength(largest)).toBe(bodyBytesMax);
  const rows = await readRows(fileOf('a.ndjson', text.join('\n')));
  expect(rows.map(({ line, reason }) => [line, reason])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, 'The row is longer than 65536 bytes.'],
    [4, expect.stringMatching(/^The line cannot be read: /)],
    [5, 'The row is longer than 65536 bytes.'],
    [6, undefined],
  ]);
  expect(rows[4]?.id).toBe(`${'7'.repeat(100)}…`);
  const csv = await readRows(fileOf('a.csv', `id,name\n1,${'x'.repeat(rowBytesMax)}\n${id},a\n2,b\n`));
  expect(csv.map(({ line, json }) => [line, json === undefined])).toEqual([
    [2, true],
    [3, true],
    [4, false],
  ]);
});

test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
  ['a.csv', 'id,tag\n1,a\n', 'The first line must name the columns id and name.'],
  ['a.ndjson', new Uint8Array([0xff]), ''],
])('the file %s with %p is refused', async (name, content, message) => {
  await expect(readRows(fileOf(name, content))).rejects.toThrow(message);
});

test('the samples of the metrics have their labels and values', () => {
  expect(readSamples('# HELP a b\na 1\na{b="c",d="e\\"f"} 2.5e-7\n')).toEqual([
    { name: 'a', labels: {}, value: 1 },
    { name: 'a', labels: { b: 'c', d: 'e\\"f' }, value: 2.5e-7 },
  ]);
});
