/** The npm packages whose code is in a build, and their licences. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import licenceList from 'spdx-license-list/full';

export interface Package {
  readonly name: string;
  readonly version: string;
  /** A licence by its SPDX id. */
  readonly license: string;
}

/** The text of a licence, and all packages that have this text. */
export interface Licence {
  readonly text: string;
  readonly packages: readonly Package[];
}

/** The folders of the packages that these files belong to, each once, sorted. */
export const packageFoldersOf = (files: readonly string[]): readonly string[] => {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
};

/** The licences of the packages in these folders, in the order of the folders. */
export const licencesIn = (folders: readonly string[]): readonly Licence[] =>
  [...Map.groupBy(folders, licenceTextIn)].map(([text, members]) => ({ text, packages: members.map(packageIn) }));

export const packageIn = (folder: string): Package => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, license };
};

/** The text of the licence file in the folder. Packages without such a file have the general text of their licence. */
export const licenceTextIn = (folder: string): string => {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file === undefined
    ? licenceTextOf(packageIn(folder).license)
    : readFileSync(join(folder, file), 'utf8').trim();
};

/** The general text of a licence, from the list of SPDX. Throws if the list does not contain the id. */
export const licenceTextOf = (id: string): string => {
  const text = licenceList[id]?.licenseText;
  if (text === undefined) throw new Error(`${id} is not in the list of SPDX.`);
  return text.trim();
};
