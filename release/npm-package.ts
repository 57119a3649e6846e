/**
 * `bun run package`: builds the folder of the npm package, `dist/package/`, and packs it. The program in it is one bundle with its
 * dependencies, and its manifest has none. So a user installs no other package, and runs the tested versions. The first argument is the
 * folder for the tarball; without it, that is `dist/`.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readFeatures } from '../map/features.ts';
import manifest from '../package.json';
import { operations } from '../src/app/app.ts';
import { createDocument } from '../src/document/document.ts';
import { root, runBunIn } from './command.ts';
import { declareApp } from './declaration.ts';
import { licencesFile, licencesOfBundle } from './licences.ts';

const target = join(root, 'dist/package');

/** The documents that are in the repository. The package exports each, openapi.json and features.json. */
const documents = [
  'openapi/openapi.yaml',
  'openapi/lesson.yaml',
  'openapi/lesson.overlay.yaml',
  'openapi/openapi-3.0.json',
  'openapi/openapi-3.2.json',
  'openapi/arazzo.yaml',
  'openapi/monstera.png',
  'map/features.schema.json',
];

/**
 * Builds the bundle for every runtime, and returns what is in it. Node, Deno or Bun picks its file of `runtime/` when it
 * resolves `#runtime`, as in a checkout. The bundle is not minified, so that its stack traces are readable.
 */
const bundle = async (): Promise<Bun.BuildMetafile> => {
  const { metafile = { inputs: {}, outputs: {} } } = await Bun.build({
    entrypoints: ['src/main.ts', ...ofRuntimes].map((path) => join(root, path)),
    root: join(root, 'src'),
    outdir: target,
    // The page looks for its script in `assets/` beside its own code, as in a checkout.
    naming: { entry: '[dir]/[name].[ext]', chunk: '[name]-[hash].[ext]', asset: 'assets/[name].[ext]' },
    target: 'node',
    // pino-pretty is only for development.
    external: [...Object.keys(manifest.imports), 'bun', 'bun:*', 'pino-pretty'],
    splitting: true,
    metafile: true,
    // Otherwise `__dirname` would be a path of this machine. pino finds its workers with it, and this program uses none.
    define: { 'process.env.NODE_ENV': '"production"', __dirname: '"."' },
  });
  // npx, and bunx where there is Node, obey the first line. Without Node, bunx runs such a program with Bun.
  write('main.js', `#!/usr/bin/env node\n${read('main.js').replace(/^#!.*\n/, '')}`);
  return metafile;
};

/** The files of each runtime. `imports` in package.json finds them by these names, too. */
const ofRuntimes = [...new Bun.Glob('src/**/{bun,deno,node}.ts').scanSync(root)];

const createManifest = () => {
  const { name, version, description, license, keywords, type, engines } = manifest;
  // The build keeps the folders of these files.
  const imports = JSON.parse(JSON.stringify(manifest.imports).replace(/\.\/src\/([\w/*]+)\.ts/g, './$1.js'));
  const exported = ['openapi.json', 'features.json', ...documents.map((path) => basename(path)), 'package.json'];
  const files = Object.fromEntries(exported.map((file) => [`./${file}`, `./${file}`]));
  const exports = { './app': { types: './app.d.ts' }, ...files };
  const bin = { [name]: 'main.js' };
  return { name, version, description, license, keywords, type, engines, bin, imports, exports };
};

const read = (name: string): string => readFileSync(join(target, name), 'utf8');
const write = (name: string, text: string): void => writeFileSync(join(target, name), text);

/** Packs into this folder, and returns what is in the bundle. */
export const createPackage = async (destination: string): Promise<Bun.BuildMetafile> => {
  rmSync(target, { recursive: true, force: true });
  const metafile = await bundle();
  write(licencesFile, licencesOfBundle(Object.keys(metafile.inputs)));
  write('openapi.json', `${JSON.stringify(createDocument(operations), null, 2)}\n`);
  write('features.json', `${JSON.stringify(await readFeatures())}\n`);
  write('app.d.ts', declareApp());
  write('package.json', `${JSON.stringify(createManifest(), null, 2)}\n`);
  for (const path of ['README.md', 'LICENSE', ...documents]) cpSync(join(root, path), join(target, basename(path)));
  runBunIn(target, 'pm', 'pack', '--destination', destination);
  return metafile;
};

if (import.meta.main) await createPackage(process.argv[2] ?? join(root, 'dist'));
