import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { createSpool } from '../../src/base/spool.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a spool returns its values in order, also for a second time, and its file has no name', () => {
  using folder = temporaryFolder();
  using spool = createSpool<unknown>(folder.path);
  const values = ['a', '', 'ä€😀\n\0\u2028', 'n'.repeat(100_000), [{ id: 2n ** 62n, tag: undefined }]];
  for (const value of values) spool.add(value);
  expect([...spool.read()]).toEqual(values);
  expect([...spool.read()]).toEqual(values);
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a spool without values needs no file', () => {
  using spool = createSpool('/no/such/folder');
  expect([...spool.read()]).toEqual([]);
  expect(() => spool.add('a')).toThrow('Cannot write /no/such/folder/plant-store-spool: no such file.');
});
