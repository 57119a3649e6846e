import { expect, test } from 'bun:test';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createFolders, realPathOf } from '../../src/base/file-system.ts';
import { temporaryFolder } from '../support/folder.ts';
import { linuxTest } from '../support/programs/linux.ts';

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

test('missing folders are created for their owner alone, and existing ones are left as they are', () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file('a'), { mode: 0o755 });
  createFolders(folder.file('a/b/c'));
  createFolders(folder.file('a/b/c'));
  const modes = ['a', 'a/b', 'a/b/c'].map((name) => statSync(folder.file(name)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o700, 0o700]);
});

linuxTest('a folder that the system does not create is an error', () => {
  expect(() => createFolders('/proc/none/a')).toThrow('ENOENT');
});
