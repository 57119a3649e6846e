/**
 * `bun run package`: builds the folder of the npm package, `dist/package/`, and packs it. The program in it is one bundle with its
 * dependencies, and its manifest has none. So a user installs no other package, and runs the tested versions. The first argument is the
 * folder for the tarball; without it, that is `dist/`.
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import manifest from '../package.json';
import { operations } from '../src/http/app.ts';
import { createDocument } from '../src/http/document/document.ts';
import { root, runBunIn } from './command.ts';
import { licencesFile, licencesOfBundle } from './licences.ts';

const target = join(root, 'dist/package');

/** The documents that are in the repository. The package exports each, and openapi.json. */
const documents = [
  'openapi/openapi.yaml',
  'openapi/openapi-3.0.json',
  'openapi/openapi-3.2.json',
  'openapi/arazzo.yaml',
  'conformance/features.json',
  'conformance/features.schema.json',
];

/** Builds the bundle, and returns the paths of all files in it. It is not minified, so that its stack traces are readable. */
const bundle = async (): Promise<readonly string[]> => {
  const { metafile } = await Bun.build({
    entrypoints: [join(root, 'src/main.ts')],
    outdir: target,
    naming: { chunk: '[name]-[hash].[ext]', asset: '[name].[ext]' },
    target: 'bun',
    splitting: true,
    metafile: true,
    // Otherwise `__dirname` would be a path of this machine. pino finds its workers with it, and this program uses none.
    define: { 'process.env.NODE_ENV': '"production"', __dirname: '"."' },
  });
  return Object.keys(metafile?.inputs ?? {});
};

const createManifest = () => {
  const { name, version, description, license, keywords, type, engines } = manifest;
  const exported = ['openapi.json', ...documents.map((path) => basename(path)), 'package.json'];
  const exports = Object.fromEntries(exported.map((file) => [`./${file}`, `./${file}`]));
  return { name, version, description, license, keywords, type, engines, bin: { [name]: 'main.js' }, exports };
};

const write = (name: string, text: string): void => writeFileSync(join(target, name), text);

rmSync(target, { recursive: true, force: true });
write(licencesFile, licencesOfBundle(await bundle()));
write('openapi.json', `${JSON.stringify(createDocument(operations), null, 2)}\n`);
write('package.json', `${JSON.stringify(createManifest(), null, 2)}\n`);
for (const path of ['README.md', 'LICENSE', ...documents]) cpSync(join(root, path), join(target, basename(path)));
runBunIn(target, 'pm', 'pack', '--destination', process.argv[2] ?? join(root, 'dist'));
