/** How the console reads a file that is dropped on it. The API checks the rows. */
import { describe, expect, test } from 'bun:test';
import { readSamples } from '../../console/api/samples.ts';
import { readCsv } from '../../console/plants/csv.ts';
import { readRows } from '../../console/plants/rows.ts';

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

  test('each row has the line on which it begins', () => {
    expect(readCsv('a\n"b\n\nc"\n\nd\n').map(({ line }) => line)).toEqual([1, 2, 6]);
  });

  test.each([
    ['a"b\n', 1],
    ['a\n"b', 2],
    ['a\n\n"b"c\n', 3],
  ])('%p is refused from line %i on', (text, line) => {
    expect(() => readCsv(text)).toThrow(`Line ${line} is not valid CSV.`);
  });
});

test('the ids of a file are exact, and a line that cannot be sent has a reason', async () => {
  const ids = [9223372036854775807n, -9223372036854775808n];
  const csv = await readRows(fileOf('a.csv', `name,id\nA,${ids[0]}\nB,${ids[1]}\nC,1.5\n`));
  expect(csv).toEqual([
    { line: 2, body: { name: 'A', id: ids[0] } },
    { line: 3, body: { name: 'B', id: ids[1] } },
    { line: 4, reason: 'The id is not an integer.' },
  ]);
  const ndjson = await readRows(fileOf('a.ndjson', `{"id":${ids[0]},"name":"A"}\n\n{"id":1.5}\n[]\n{\n`));
  expect(ndjson).toEqual([
    { line: 1, body: { id: ids[0], name: 'A' } },
    { line: 3, body: { id: 1.5 } },
    { line: 4, reason: 'The line is not a JSON object.' },
    { line: 5, reason: 'The line is not valid JSON.' },
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
