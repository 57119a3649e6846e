/** The versions of packages that this repository pins, by registry and package, such as `npm newman`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const readPins = (): Map<string, string> =>
  new Map([...npmPinsIn('package.json'), ...npmPinsIn('conformance/package.json'), ...pypiPins()]);

/** Those that `conformance/` installs from npm and PyPI. */
export const installedHere = (): string[] =>
  [...npmPinsIn('conformance/package.json'), ...pypiPins()].map(([name]) => name);

const root = join(import.meta.dir, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const npmPinsIn = (path: string): [string, string][] =>
  Object.entries<string>(JSON.parse(read(path)).devDependencies).map(([name, version]) => [`npm ${name}`, version]);

const pypiPins = (): [string, string][] =>
  [...read('conformance/requirements.txt').matchAll(/^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)$/gm)].map(
    ([, name = '', version = '']) => [`pypi ${name}`, version],
  );
