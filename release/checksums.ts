/** SHA256SUMS, which `sha256sum --check SHA256SUMS` reads. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the checksums of all files in the folder. */
export const writeChecksums = async (folder: string): Promise<void> => {
  const names = readdirSync(folder).sort();
  const lines = await Promise.all(names.map(async (name) => `${await sha256Of(join(folder, name))}  ${name}\n`));
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
};

const sha256Of = async (path: string): Promise<string> =>
  new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex');
