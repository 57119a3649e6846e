/** `bun run release`: builds all files of a release in `dist/release/`. `version.ts` has its version. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies } from '../package.json';
import { archive } from './archive.ts';
import { type Build, compile, isForWindows, metafile, targets } from './builds.ts';
import { writeChecksums } from './checksums.ts';
import { root, runBun } from './command.ts';
import { licencesFile, licencesOfBinary } from './licences.ts';
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

runBun('release/npm-package.ts', folder);
copyFileSync(join(root, 'openapi/openapi.yaml'), join(folder, 'openapi.yaml'));
copyFileSync(join(root, 'dist/package/openapi.json'), join(folder, 'openapi.json'));

const builds = targets.map(compile);
writeFileSync(licences, licencesOfBinary(Object.keys(JSON.parse(readFileSync(metafile, 'utf8')).inputs)));
writeSbom(join(folder, `plant-store-${version}.cdx.json`), metafile, date);

await Promise.all(builds.map(pack));
await writeChecksums(folder);
console.log(readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim());

function pack({ target, binary }: Build): Promise<void> {
  const path = join(folder, `plant-store-${version}-${target}${isForWindows(target) ? '.zip' : '.tar.gz'}`);
  const texts = [join(root, 'LICENSE'), licences].map((text) => ({ path: text, mode: 0o644 }));
  return archive(path, [{ path: binary, mode: 0o755 }, ...texts], date);
}
