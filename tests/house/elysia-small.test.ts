/** `examples/elysia-small/`: its tests pass in a copy, it compiles, its migrations are those of its tables, and it stays small. */
import { expect, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';

const root = join(import.meta.dir, '../..');
const example = join(root, 'examples/elysia-small');

test.each([
  ['its tests pass', [process.execPath, 'test', '--timeout=180000'], ' 0 fail'],
  ['it compiles', ['node_modules/.bin/tsc', '-p', '.'], ''],
  ['a new migration has no change', ['node_modules/.bin/drizzle-kit', 'generate'], 'No schema changes'],
])('in a copy, %s', async (_what, command, shown) => {
  using folder = temporaryFolder();
  cpSync(example, folder.path, { recursive: true });
  symlinkSync(join(root, 'node_modules'), folder.file('node_modules'));
  const child = Bun.spawn(command, { cwd: folder.path, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(stdout + stderr).toContain(shown);
  expect(await child.exited).toBe(0);
});

test('it has at most 200 lines, and the versions of the program', async () => {
  const files = readdirSync(example).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(5);
  const lines = files.flatMap((name) => readFileSync(join(example, name), 'utf8').trimEnd().split('\n'));
  expect(lines.length).toBeLessThanOrEqual(200);
  expect(lines.filter((line) => line.includes('// Plant Store: ')).length).toBeGreaterThan(5);
  const { dependencies, devDependencies } = await import('../../package.json');
  const own = await import('../../examples/elysia-small/package.json');
  expect({ ...dependencies, ...devDependencies }).toMatchObject({ ...own.dependencies, ...own.devDependencies });
});
