/** The files of a command must not be those of its database, which only the store reads and writes. A server has no files here. */
import { existsSync, fstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../base/error.ts';
import { realPathOf } from '../base/file-system.ts';
import type { Config } from '../config/config.ts';
import { filesOf } from '../sqlite/file.ts';

/** Throws OperatorError when one is a file of the other, perhaps by another name. PostgreSQL locks its databases instead. */
export const refuseSameFile = (one: Config, other: Config): void => {
  const isOneIn = ({ database }: Config, config: Config): boolean =>
    database.engine === 'sqlite' && isFileOf(database.path, config);
  if (isOneIn(one, other) || isOneIn(other, one)) throw new OperatorError('FROM and TO are the same database.');
};

/** Throws OperatorError when the path or the descriptor is a file of the database. */
export const refuseDatabase = (file: string | number, config: Config): void => {
  if (!isFileOf(file, config)) return;
  const name = typeof file === 'string' ? file : `The file behind ${['stdin', 'stdout', 'stderr'][file]}`;
  throw new OperatorError(`${name} is the database or its log. Choose another file.`);
};

/**
 * The path of a file to write, with symbolic links followed, and whether it is a pipe or a device, which cannot be replaced. Throws
 * OperatorError for a file of the database, a folder, a missing folder, and without `force` for a file that exists.
 */
export const fileToWrite = (file: string, config: Config, { force }: { readonly force: boolean }) => {
  refuseDatabase(file, config);
  const path = realPathOf(file);
  if (!existsSync(dirname(path))) throw new OperatorError(`Folder ${dirname(path)} does not exist.`);
  const stat = statIfThere(path);
  if (stat?.isDirectory()) throw new OperatorError(`${file} is a folder.`);
  if (stat?.isFile() && !force) throw existing(file);
  return { path, isStream: stat?.isFile() === false, isCharacterDevice: stat?.isCharacterDevice() ?? false };
};

export const existing = (file: string): OperatorError =>
  new OperatorError(`${file} exists; use --force to replace it.`);

/** The folder for files that go with the database. */
export const folderOf = ({ database }: Config): string =>
  database.engine === 'sqlite' ? dirname(database.path) : 'data';

const isFileOf = (file: string | number, { database }: Config): boolean => {
  if (database.engine !== 'sqlite') return false;
  const path = typeof file === 'string' ? realPathOf(file) : undefined;
  const stat = typeof file === 'string' ? statIfThere(file) : fstatSync(file);
  return filesOf(database.path).some((own) => {
    const ownStat = statIfThere(own);
    // A hard link has another path.
    const isSameFile = ownStat !== undefined && stat?.dev === ownStat.dev && stat.ino === ownStat.ino;
    return path === own || isSameFile;
  });
};

const statIfThere = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
