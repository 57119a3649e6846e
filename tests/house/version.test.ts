/** The version of the program is in package.json. Every other file that has it must agree. */
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

test('CHANGELOG.md starts with Unreleased, followed by the version in package.json with its date', () => {
  const [unreleased, newest = ''] = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(unreleased).toBe('Unreleased');
  const [name, date = ''] = newest.split(' - ');
  expect(name).toBe(version);
  expect(new Date(date).toISOString()).toBe(`${date}T00:00:00.000Z`);
});

test('every version of the package in the documents and examples is the version in package.json', () => {
  const named = copied
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) =>
      [...read(path).matchAll(/(?:plant-store[@-]|--branch v)(\d+\.\d+\.\d+)/g)].map(([, found]) => ({ path, found })),
    );
  for (const path of ['docs/demo.md', 'examples/ci/plant-store.yml'])
    expect(named).toContainEqual({ path, found: version });
  expect(named.filter(({ found }) => found !== version)).toEqual([]);
});

test('every version of Bun in the documents and CI commands is the version of bun-types', () => {
  const bun = devDependencies['bun-types'];
  const named = ['.ci/run', ...copied]
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) => [...read(path).matchAll(/\bbun@(\d+\.\d+\.\d+)/g)].map(([, found]) => ({ path, found })));
  expect(named).toContainEqual({ path: '.ci/run', found: bun });
  expect(named.filter(({ found }) => found !== bun)).toEqual([]);
});
