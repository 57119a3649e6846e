/** The name of the package is free in the registry until it is published. A command that installs it by its name would run anybody's code. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');

/** It says what changes once the package is published. */
const exception = 'docs/demo.md';

/** A command with the name of the package, or a version of it. A path to a tarball is neither. */
const forms = [
  /\b(?:bunx|npx|pnpx|(?:bun|npm|pnpm|yarn) (?:x|i|ci|install|add|exec|dlx))(?: +-\S+)* +["']?plant-store\b/,
  /\bnpm:plant-store\b/,
  /\bplant-store@(?:\d+\.|latest|next|\^|~)/,
];

const offers = (text: string): boolean => forms.some((form) => form.test(text));

test('no file offers the package by its name, except for the page that says what changes after its publication', () => {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const files = stdout
    .toString()
    .split('\0')
    .filter((path) => path !== '' && path !== 'tests/house/package-name.test.ts');
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => offers(readIfThere(path)))).toEqual([exception]);
});

const readIfThere = (path: string): string => {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
};

test.each([
  'bunx plant-store serve',
  'npx --yes plant-store serve',
  'npm install plant-store',
  'bun add --dev plant-store',
  'pnpm dlx plant-store',
  'deno run npm:plant-store',
  'bun x plant-store@0.1.0',
  'PLANT_STORE="bunx plant-store@latest"',
])('the check finds the package in `%s`', (text) => {
  expect(offers(text)).toBe(true);
});

test.each([
  'bunx --package ./plant-store-0.1.0.tgz plant-store serve',
  'sudo systemctl restart plant-store@3001',
  'npm publish plant-store-0.1.0.tgz',
  'bun run build && docker run plant-store serve',
])('the check finds no package in `%s`', (text) => {
  expect(offers(text)).toBe(false);
});
