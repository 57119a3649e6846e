import { expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { realPathOf } from '../../src/base/file-system.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a real path has no symbolic links, whether or not the file exists', () => {
  using folder = temporaryFolder();
  const root = realPathOf(folder.path);
  mkdirSync(folder.file('a'));
  writeFileSync(folder.file('a/file'), '');
  symlinkSync('a', folder.file('folder'));
  symlinkSync('file', folder.file('a/link'));
  symlinkSync('a/none', folder.file('nowhere'));
  symlinkSync('circle', folder.file('circle'));
  expect(realPathOf(folder.file('folder/link'))).toBe(`${root}/a/file`);
  expect(realPathOf(folder.file('folder/new'))).toBe(`${root}/a/new`);
  expect(realPathOf(folder.file('folder/b/new'))).toBe(`${root}/a/b/new`);
  expect(realPathOf(folder.file('nowhere'))).toBe(`${root}/a/none`);
  expect(() => realPathOf(folder.file('circle'))).toThrow('ELOOP');
});
