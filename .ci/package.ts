/**
 * Makes `dist/package/`, which the npm package runs: one bundle of the program and its dependencies. So a user installs no other
 * package, and runs the versions that were tested. `bun pm pack` runs this first.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../src/http/app.ts';
import { createDocument } from '../src/http/document/document.ts';

const root = join(import.meta.dir, '..');
const target = join(root, 'dist/package');

/** Makes the bundle, and returns the paths of all files in it. It is not minified, so that its stack traces can be read. */
const bundle = async (): Promise<readonly string[]> => {
  const { metafile } = await Bun.build({
    entrypoints: [join(root, 'src/main.ts')],
    outdir: target,
    naming: { chunk: '[name]-[hash].[ext]', asset: '[name].[ext]' },
    target: 'bun',
    splitting: true,
    metafile: true,
    // Otherwise `__dirname` would be a path of this machine. pino finds its workers by it, and this program uses none.
    define: { 'process.env.NODE_ENV': '"production"', __dirname: '"."' },
  });
  return Object.keys(metafile?.inputs ?? {});
};

/** The folders of the packages that these files belong to. */
const packagesOf = (files: readonly string[]): readonly string[] => {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
};

/** The licences of these packages, most of which must be part of every copy. Packages with the same text share it. */
const licencesOf = (packages: readonly string[]): string =>
  [...Map.groupBy(packages, licenceOf)]
    .map(([licence, folders]) => `${folders.map(titleOf).join('\n')}\n\n${licence}`)
    .join(`\n${'-'.repeat(80)}\n\n`);

const titleOf = (folder: string): string => {
  const { name, version, license } = manifestOf(folder);
  return `${name} ${version}, ${license}`;
};

const licenceOf = (folder: string): string => {
  const [file] = new Bun.Glob('{LICENSE,license}*').scanSync(folder);
  return file ? readFileSync(join(folder, file), 'utf8') : `https://spdx.org/licenses/${manifestOf(folder).license}\n`;
};

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

rmSync(target, { recursive: true, force: true });
const licences = licencesOf(packagesOf(await bundle()));
const ofPage = 'The script of the page is from @scalar/api-reference, which has the licence of @scalar/themes.';
writeFileSync(join(target, 'LICENCES.txt'), `${ofPage}\n\n${licences}`);
writeFileSync(join(target, 'openapi.json'), `${JSON.stringify(createDocument(operations), null, 2)}\n`);
