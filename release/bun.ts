/**
 * Bun, which every binary contains. Its libraries and their licences are listed on a page of its documentation, which bun-types has.
 * Bun publishes no file with the notices of all of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceTextOf } from './packages.ts';

export interface Library {
  readonly name: string;
  readonly url: string;
  /** In Bun's words, which are not an SPDX id. */
  readonly licence: string;
  /** A version or a commit. Absent when Bun does not report it. */
  readonly version?: string;
}

/** JavaScriptCore, the libraries that Bun links, and the packages that it embeds. */
export const librariesOfBun = (): readonly Library[] => [
  withVersion({ name: 'WebKit', url: 'https://github.com/oven-sh/webkit', licence: 'LGPL-2' }),
  ...[...licencePage().matchAll(tableRow)].map(([, name = '', url = '', licence = '']) =>
    withVersion({ name, url, licence: licence.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').trim() }),
  ),
];

/** The page, with the licence texts that must be part of each copy. */
export const bunLicence = (): string =>
  [
    `bun ${Bun.version}, MIT`,
    'This program contains Bun. To run it with a Bun that you have changed, use the npm package of the same version.',
    licencePage(),
    ...['LGPL-2.0-only', 'LGPL-2.1-only', 'Apache-2.0'].map((id) => `## ${id}\n\n${licenceTextOf(id)}`),
  ].join('\n\n');

const licencePage = (): string => {
  const page = readFileSync(join(import.meta.dir, '../node_modules/bun-types/docs/project/license.mdx'), 'utf8');
  return page.replace(/^---\n.*?\n---\n/s, '').trim();
};

/** A row such as "| [`brotli`](https://github.com/google/brotli) | MIT |". */
const tableRow = /^\|[^|[]*\[`?([^\]`]+)`?\]\(([^)]+)\)[^|]*\|([^|]+)\|$/gm;

const withVersion = (library: Library): Library => {
  const version = process.versions[versionKeys[library.name] ?? library.name.toLowerCase().replaceAll('-', '')];
  return version === undefined ? library : { ...library, version };
};

/** The libraries with another name in `process.versions`. */
const versionKeys: Readonly<Record<string, string>> = {
  'c-ares': 'ares',
  libicu: 'icu',
  picohttp: 'picohttpparser',
  'zlib-ng': 'zlib',
};
