import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createDraft } from '../../src/base/temporary-file.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a draft is empty, private to its owner, and removed when it is disposed of', () => {
  using folder = temporaryFolder();
  {
    using draft = createDraft(folder.file('a'), ['-wal']);
    expect(statSync(draft.path)).toMatchObject({ size: 0, mode: 0o100600 });
    writeFileSync(`${draft.path}-wal`, 'beside it');
  }
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a draft is renamed to a free name, and replaces a file only on request', () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('a'), 'before');
  using draft = createDraft(folder.file('a'));
  expect(() => draft.take({ replace: false })).toThrow('EEXIST');
  expect(readFileSync(folder.file('a'), 'utf8')).toBe('before');
  draft.take({ replace: true });
  expect(readFileSync(folder.file('a'), 'utf8')).toBe('');
  using other = createDraft(folder.file('b'));
  other.take({ replace: false });
  expect(existsSync(folder.file('b'))).toBe(true);
});

test.each([
  ['the process exits', 'process.exit(3)'],
  ['the program throws an error', 'throw new Error()'],
])('a draft is removed when %s', async (_how, end) => {
  using folder = temporaryFolder();
  const module = Bun.resolveSync('../../src/base/temporary-file.ts', import.meta.dir);
  writeFileSync(folder.file('p.ts'), `import { createDraft } from '${module}'; createDraft('a'); ${end};`);
  await Bun.spawn([process.execPath, 'p.ts'], { cwd: folder.path, stderr: 'ignore' }).exited;
  expect(readdirSync(folder.path)).toEqual(['p.ts']);
});
