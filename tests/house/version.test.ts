/** The version of the program is in package.json. What else names it is compared with that. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies, version } from '../../package.json';

const root = join(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The documents and examples that users copy commands from, by their paths from the root. */
const copied = ['*.md', 'docs/**/*.md', 'examples/**/*.{md,sh,yml}', 'deploy/*'].flatMap((pattern) => [
  ...new Bun.Glob(pattern).scanSync(root),
]);

test('CHANGELOG.md begins with Unreleased, and then has the version of package.json with its date', () => {
  const [unreleased, newest = ''] = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(unreleased).toBe('Unreleased');
  const [name, date = ''] = newest.split(' - ');
  expect(name).toBe(version);
  expect(new Date(date).toISOString()).toBe(`${date}T00:00:00.000Z`);
});

test('every document and example that names a version of the package names that of package.json', () => {
  const named = copied
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) =>
      [...read(path).matchAll(/plant-store[@-](\d+\.\d+\.\d+)/g)].map(([, found]) => ({ path, found })),
    );
  expect(named).toContainEqual({ path: 'examples/ci/run.sh', found: version });
  expect(named.filter(({ found }) => found !== version)).toEqual([]);
});

test('every document and CI command that names a version of Bun names that of the types', () => {
  const bun = devDependencies['bun-types'];
  const named = ['.ci/run', ...copied]
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) => [...read(path).matchAll(/\bbun@(\d+\.\d+\.\d+)/g)].map(([, found]) => ({ path, found })));
  expect(named).toContainEqual({ path: '.ci/run', found: bun });
  expect(named.filter(({ found }) => found !== bun)).toEqual([]);
});
