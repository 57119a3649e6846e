/** Packs files into one folder of a .tar.gz or .zip. The same files and date give the same archive. */
import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { TarArchive, ZipArchive } from 'archiver';

export interface ArchivedFile {
  readonly path: string;
  readonly mode: number;
}

/** All files in the archive have this date. The file extension decides the format. */
export const archive = async (path: string, files: readonly ArchivedFile[], date: string): Promise<void> => {
  const packer = path.endsWith('.zip')
    ? new ZipArchive({ statConcurrency, zlib: { level } })
    : new TarArchive({ statConcurrency, gzip: true, gzipOptions: { level } });
  const folder = basename(path).replace(/\.(?:zip|tar\.gz)$/, '');
  for (const file of files)
    packer.file(file.path, { name: `${folder}/${basename(file.path)}`, mode: file.mode, date: new Date(date) });
  await Promise.all([packer.finalize(), pipeline(packer, createWriteStream(path))]);
};

/** Level 9 takes four times as long, and saves 2 %. */
const level = 6;

/** With more than one, the order of the files would depend on the disk. */
const statConcurrency = 1;
