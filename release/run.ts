/** `bun run release`: builds all files of a release in `dist/release/`. `version.ts` has its version. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies } from '../package.json';
import { archive } from './archive.ts';
import { type Build, compile, isForWindows, metafile, targets } from './builds.ts';
import { writeChecksums } from './checksums.ts';
import { root } from './command.ts';
import { licencesFile, licencesOfRelease } from './licences.ts';
import { createPackage } from './npm-package.ts';
import { writeSbom } from './sbom.ts';
import { readRelease } from './version.ts';

const bunVersion = devDependencies['bun-types'];
if (Bun.version !== bunVersion)
  throw new Error(`A release is made by Bun ${bunVersion}, and this is Bun ${Bun.version}.`);

const { version, date } = readRelease();
const folder = join(root, 'dist/release');
const licences = join(folder, licencesFile);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const packed = await createPackage(folder);
copyFileSync(join(root, 'openapi/openapi.yaml'), join(folder, 'openapi.yaml'));
copyFileSync(join(root, 'dist/package/openapi.json'), join(folder, 'openapi.json'));

const builds = targets.map(compile);
const both = join(root, 'dist/builds/both.json');
const contents = merge(JSON.parse(readFileSync(metafile, 'utf8')), packed);
writeFileSync(both, JSON.stringify(contents));
writeFileSync(licences, licencesOfRelease(Object.keys(contents.inputs)));
writeSbom(join(folder, `plant-store-${version}.cdx.json`), both, date);

await Promise.all(builds.map(pack));
await writeChecksums(folder);
console.log(readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim());

/** What is in a binary or in the npm package: each has the code of its runtimes only. */
function merge(binary: Bun.BuildMetafile, bundle: Bun.BuildMetafile): Bun.BuildMetafile {
  const outputs = Object.entries(bundle.outputs).map(([path, output]) => [`package/${path}`, output] as const);
  return {
    inputs: { ...binary.inputs, ...bundle.inputs },
    outputs: { ...binary.outputs, ...Object.fromEntries(outputs) },
  };
}

function pack({ target, binary }: Build): Promise<void> {
  const path = join(folder, `plant-store-${version}-${target}${isForWindows(target) ? '.zip' : '.tar.gz'}`);
  const texts = [join(root, 'LICENSE'), licences].map((text) => ({ path: text, mode: 0o644 }));
  return archive(path, [{ path: binary, mode: 0o755 }, ...texts], date);
}
