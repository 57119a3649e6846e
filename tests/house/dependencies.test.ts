/** Checks that docs/dependencies.md has one row for each package that is installed for the project. */
import { expect, test } from 'bun:test';
import { read } from '../support/imports.ts';

/** The first cells of the rows of a section. */
const rowsIn = (section: string): string[] => {
  const [, rest = ''] = read('docs/dependencies.md').split(`## ${section}\n`);
  const [text = ''] = rest.split(/^## /m);
  return [...text.matchAll(/^\| ([^|]+) \|.*$/gm)].map(([, names = '']) => names);
};

const packagesIn = (...sections: string[]): string[] =>
  sections
    .flatMap(rowsIn)
    .filter((names) => names !== 'package' && names !== '---')
    .flatMap((names) => names.split(', '))
    .sort();

const inPackageJson = (path: string): string[] => Object.keys(JSON.parse(read(path)).devDependencies);

const inRequirements = (path: string): string[] =>
  [...read(path).matchAll(/^([\w-]+)(?:\[[^\]]*\])?==/gm)].map(([, name = '']) => name);

const inCargo = (path: string): string[] => {
  const [, dependencies = ''] = read(path).split('[dependencies]\n');
  return [...dependencies.matchAll(/^([\w-]+) = /gm)].map(([, name = '']) => name);
};

test.each([
  ['package.json', ['In the program', 'For development and tests', 'For a release'], inPackageJson('package.json')],
  [
    'conformance/',
    ['In `conformance/`'],
    [...inPackageJson('conformance/package.json'), ...inRequirements('conformance/requirements.txt')],
  ],
  [
    'examples/clients/rust/Cargo.toml',
    ['In `examples/clients/`'],
    inCargo('examples/clients/rust/Cargo.toml').filter((name) => name !== 'standardwebhooks'),
  ],
  ['bench/package.json', ['In `bench/`'], inPackageJson('bench/package.json')],
])('docs/dependencies.md has one row for each package in %s, and for no other', (_path, sections, packages) => {
  expect(packages.length).toBeGreaterThan(3);
  expect(packagesIn(...sections)).toEqual(packages.sort());
});
