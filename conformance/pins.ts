/** The versions of packages that this repository pins, by registry and package, such as `npm newman`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const readPins = (): Map<string, string> =>
  new Map([
    ...npmPinsIn('examples/clients/browser/package.json'),
    ...npmPinsIn('package.json'),
    ...pinsIn('conformance'),
    ...goPins(),
    ...cargoPins(),
  ]);

/** The packages that a folder installs from npm and PyPI. */
export const installedIn = (folder: string): string[] => pinsIn(folder).map(([name]) => name);

const root = join(import.meta.dir, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const npmPinsIn = (path: string): [string, string][] =>
  Object.entries<string>(JSON.parse(read(path)).devDependencies).map(([name, version]) => [`npm ${name}`, version]);

const pypiPinsIn = (path: string): [string, string][] =>
  existsSync(join(root, path))
    ? [...read(path).matchAll(/^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)$/gm)].map(([, name = '', version = '']) => [
        `pypi ${name}`,
        version,
      ])
    : [];

const pinsIn = (folder: string): [string, string][] => [
  ...npmPinsIn(`${folder}/package.json`),
  ...pypiPinsIn(`${folder}/requirements.txt`),
];

const goPins = (): [string, string][] =>
  [...read('conformance/stream-clients/go/go.mod').matchAll(/^\t(\S+) v(\S+)$/gm)].map(
    ([, name = '', version = '']) => [`go ${name}`, version],
  );

const cargoPins = (): [string, string][] =>
  [...read('conformance/stream-clients/rust/Cargo.toml').matchAll(/^([\w-]+) = .*"=(\d[^"]*)"/gm)].map(
    ([, name = '', version = '']) => [`cargo ${name}`, version],
  );
