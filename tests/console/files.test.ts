/** The files of the console: the rejected rows of an import, and plants that are created again. */
import { expect, test } from 'bun:test';
import { readSamples } from '../../console/api/samples.ts';
import { writePlants } from '../../console/files/export-file.ts';
import { formatOf, rejectedFile } from '../../console/files/rejected-file.ts';
import type { Plant } from '../../console/plants/members.ts';
import { createRestore } from '../../console/plants/restore.ts';

test('the rejected rows of CSV have the header and all their lines, in the order of the file', () => {
  const text = '\ufeffid;name\r\n1;a\r\n2;"b\r\nc"\r\n3;d\r\n';
  const rows = [
    { line: 5, lines: 1 },
    { line: 3, lines: 2 },
  ];
  expect(rejectedFile(text, rows, 'CSV')).toBe('\ufeffid;name\r\n2;"b\r\nc"\r\n3;d\r\n');
  expect(rejectedFile('{"id":1}\n{}', [{ line: 2, lines: 1 }], 'NDJSON')).toBe('{}\n');
});

test.each([
  ['a.csv', '{', 'CSV'],
  ['a.TSV', '', 'CSV'],
  ['a.ndjson', 'id', 'NDJSON'],
  ['a.jsonl', '', 'NDJSON'],
  ['a', ' {"id":1}', 'NDJSON'],
  ['a', 'id,name', 'CSV'],
] as const)('a file %s that begins with %p is %s', (name, beginning, expected) => {
  expect(formatOf(name, beginning)).toBe(expected);
});

test('deleted plants are created again with their times, a thousand in a request, and rejected ones have the reason', async () => {
  const at = '2026-01-01T00:00:00.000Z';
  const plants = Array.from(
    { length: 1500 },
    (_, index): Plant => ({ id: 2n ** 62n + BigInt(index), name: 'n', createdAt: at, updatedAt: at }),
  );
  const requests: string[] = [];
  const restore = createRestore(plants, async (lines) => {
    requests.push(lines);
    return requests.length === 2 ? [{ line: 500, message: 'taken' }] : [];
  });
  const reasons = await Promise.all(plants.map(restore));
  expect(requests.map((lines) => lines.split('\n').length - 1)).toEqual([1000, 500]);
  expect(requests[0]).toStartWith(`{"id":4611686018427387904,"name":"n","createdAt":"${at}","updatedAt":"${at}"}\n`);
  expect(reasons.map((reason, index) => [index, reason]).filter(([, reason]) => reason !== undefined)).toEqual([
    [1499, 'taken'],
  ]);
});

test('the samples of the metrics have their labels and values', () => {
  expect(readSamples('# HELP a b\na 1\na{b="c",d="e\\"f"} 2.5e-7\n')).toEqual([
    { name: 'a', labels: {}, value: 1 },
    { name: 'a', labels: { b: 'c', d: 'e"f'.replace('"', '\\"') }, value: 2.5e-7 },
  ]);
});

test('selected plants are written as the import reads them', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const plants: readonly Plant[] = [
    { id: 9223372036854775807n, name: 'a "b", c', tag: '', createdAt: at, updatedAt: at },
    { id: -1n, name: 'd\ne', createdAt: at, updatedAt: at },
  ];
  expect(writePlants(plants, 'CSV')).toBe(
    `id,name,tag,createdAt,updatedAt\r\n9223372036854775807,"a ""b"", c","","${at}","${at}"\r\n-1,"d\ne",,"${at}","${at}"\r\n`,
  );
  expect(writePlants(plants, 'NDJSON')).toBe(
    `{"id":9223372036854775807,"name":"a \\"b\\", c","tag":"","createdAt":"${at}","updatedAt":"${at}"}\n{"id":-1,"name":"d\\ne","createdAt":"${at}","updatedAt":"${at}"}\n`,
  );
});
