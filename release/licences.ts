/** THIRD-PARTY-LICENSES.txt, the licences of the third-party code in a build. Most must be part of every copy. */
import { join } from 'node:path';
import scalarLicences from '../src/pages/assets/scalar-licences.json';
import swaggerUiLicences from '../src/pages/assets/swagger-ui-licences.json';
import { bunLicence } from './bun.ts';
import { root } from './command.ts';
import { type Licence, licencesIn, packageFoldersOf } from './packages.ts';

/** The folders of the packages in the script of the console. */
export const foldersOfConsole = ['@elysiajs/eden', 'eventsource-parser', 'preact'].map((name) =>
  join(root, 'node_modules', name),
);

export const licencesFile = 'THIRD-PARTY-LICENSES.txt';

/** The licences of the npm package, which has these files in its bundle. */
export const licencesOfBundle = (files: readonly string[]): string =>
  [
    ...licencesIn(packageFoldersOf(files)).map(section),
    'The script of the page at /console contains these packages.\n',
    ...licencesIn(foldersOfConsole).map(section),
    'The scripts of the page at /swagger contain these packages.\n',
    ...[...scalarLicences, ...swaggerUiLicences].map(section),
  ].join(line);

/** The licences of a release, which its binaries contain: those of these files and of Bun. */
export const licencesOfRelease = (files: readonly string[]): string =>
  [licencesOfBundle(files), bunLicence()].join(line);

const line = `\n${'-'.repeat(80)}\n\n`;

const section = ({ text, packages }: Licence): string =>
  `${packages.map(({ name, version, license }) => `${name} ${version}, ${license}`).join('\n')}\n\n${text}\n`;
