/**
 * Bun, which every binary contains. A page of its documentation, which is in bun-types, lists its libraries and their licences.
 * Bun publishes no file with all their notices.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceTextOf } from './packages.ts';

export interface BundledPart {
  readonly name: string;
  readonly url: string;
  /** The licence in the words of Bun. It is not an SPDX id. */
  readonly licence: string;
  /** A version or a commit. Absent when Bun does not report it. */
  readonly version?: string;
}

/** JavaScriptCore, the libraries that Bun links, and the packages that it embeds. */
export const librariesOfBun = (): readonly BundledPart[] => [
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

const withVersion = (part: BundledPart): BundledPart => {
  const version = process.versions[versionKeys[part.name] ?? part.name.toLowerCase().replaceAll('-', '')];
  return version === undefined ? part : { ...part, version };
};

/** The libraries that have another name in `process.versions`. */
const versionKeys: Readonly<Record<string, string>> = {
  'c-ares': 'ares',
  libicu: 'icu',
  picohttp: 'picohttpparser',
  'zlib-ng': 'zlib',
};
