/** Checks that package.json separates the packages of the program from the others, and that docs/dependencies.md lists each. */
import { expect, test } from 'bun:test';
import { existsSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { buildConsole } from '../../docs/pages/console.ts';
import manifest from '../../package.json';
import { foldersOfConsole } from '../../release/licences.ts';
import { packageFoldersOf } from '../../release/packages.ts';
import { importsOf, read, sources } from '../support/project/imports.ts';

const root = join(import.meta.dir, '../..');

test('the dependencies of package.json are the packages that the program imports, and no others', () => {
  // The file is the configuration of a development tool.
  const files = sources.filter((path) => path !== 'src/postgres/db/drizzle.config.ts');
  const isPackage = (target: string): boolean => !isBuiltin(target) && !existsSync(join(root, target));
  const nameOf = (target: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target;
  const imported = new Set(files.flatMap(importsOf).filter(isPackage).map(nameOf));
  expect(Object.keys(manifest.dependencies)).toEqual([...imported].sort());
});

test('every version in package.json is exact', () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
});

/** What the items of a section name before their first colon. */
const itemsIn = (section: string): string[] => {
  const [, rest = ''] = read('docs/dependencies.md').split(`## ${section}\n`);
  const [text = ''] = rest.split(/^## /m);
  return [...text.matchAll(/^- ([^:\n]+): \S/gm)].map(([, names = '']) => names);
};

const packagesIn = (...sections: string[]): string[] =>
  sections
    .flatMap(itemsIn)
    .flatMap((names) => names.split(', '))
    .sort();

const inPackageJson = (path: string): string[] => Object.keys(JSON.parse(read(path)).devDependencies);

const inRequirements = (path: string): string[] =>
  [...read(path).matchAll(/^([\w-]+)(?:\[[^\]]*\])?==/gm)].map(([, name = '']) => name);

const inCargo = (path: string): string[] => {
  const [, dependencies = ''] = read(path).split('[dependencies]\n');
  return [...dependencies.matchAll(/^([\w-]+) = /gm)].map(([, name = '']) => name);
};

/** Those that a program imports: others have a comment. */
const inGo = (path: string): string[] => [...read(path).matchAll(/^\t(\S+) v\S+$/gm)].map(([, name = '']) => name);

const browserExample = 'examples/clients/browser/package.json';

test.each([
  ['dependencies', ['In the program'], Object.keys(manifest.dependencies)],
  ['devDependencies', ['For development and tests', 'For a release'], Object.keys(manifest.devDependencies)],
  [
    'conformance/',
    ['In `conformance/`'],
    [
      ...inPackageJson('conformance/package.json'),
      ...inRequirements('conformance/requirements.txt'),
      ...inGo('conformance/stream-clients/go/go.mod'),
      ...inCargo('conformance/stream-clients/rust/Cargo.toml'),
    ],
  ],
  ['map/package.json', ['In `map/`'], inPackageJson('map/package.json')],
  [
    'examples/clients/rust/Cargo.toml',
    ['In `examples/clients/`'],
    inCargo('examples/clients/rust/Cargo.toml').filter((name) => name !== 'standardwebhooks'),
  ],
  [
    'examples/clients/browser/package.json',
    ['In `examples/clients/browser/`'],
    [...inPackageJson(browserExample), ...Object.keys(JSON.parse(read(browserExample)).dependencies)],
  ],
  ['bench/package.json', ['In `bench/`'], inPackageJson('bench/package.json')],
])('docs/dependencies.md lists once each package in %s, and for no other', (_path, sections, packages) => {
  expect(packages.length).toBeGreaterThan(3);
  expect(packagesIn(...sections)).toEqual(packages.sort());
});

test('a release has the licence of each package in the script of the console', async () => {
  const { metafile } = await buildConsole();
  const files = Object.keys(metafile?.inputs ?? {}).map((path) => join(root, path));
  expect(files).toContain(join(root, 'console/main.tsx'));
  // In a copy, `node_modules` can be a link.
  expect(packageFoldersOf(files)).toEqual(foldersOfConsole.map((folder) => realpathSync(folder)));
});
