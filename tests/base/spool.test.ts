import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { createSpool } from '../../src/base/spool.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a spool returns its texts in order, also for a second time, and its file has no name', () => {
  using folder = temporaryFolder();
  using spool = createSpool(folder.path);
  const texts = ['a', '', 'ä€😀\n\0\u2028', 'n'.repeat(100_000)];
  for (const text of texts) spool.add(text);
  expect([...spool.read()]).toEqual(texts);
  expect([...spool.read()]).toEqual(texts);
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a spool without texts needs no file', () => {
  using spool = createSpool('/no/such/folder');
  expect([...spool.read()]).toEqual([]);
  expect(() => spool.add('a')).toThrow('Cannot write /no/such/folder/plant-store-spool: no such file.');
});
