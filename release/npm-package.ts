/**
 * Builds `dist/package/`, the program of the npm package: one bundle with its dependencies. So a user installs no other
 * package, and runs the tested versions. `bun pm pack` runs this first.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../src/http/app.ts';
import { createDocument } from '../src/http/document/document.ts';
import { root } from './command.ts';
import { licencesFile, licencesOfBundle } from './licences.ts';

const target = join(root, 'dist/package');

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

rmSync(target, { recursive: true, force: true });
writeFileSync(join(target, licencesFile), licencesOfBundle(await bundle()));
writeFileSync(join(target, 'openapi.json'), `${JSON.stringify(createDocument(operations), null, 2)}\n`);
