import { existsSync, fstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { realPathOf } from '../base/real-path.ts';
import type { Config } from '../config.ts';
import { AppError } from '../domain/error.ts';
import { databaseFilesOf } from './options.ts';

/**
 * The file that a command is to write, with symbolic links followed. Throws AppError `unavailable` when it belongs to the
 * database, under whatever name, and when its folder does not exist.
 */
export const targetOf = (file: string, config: Config): string => {
  refuseDatabase(file, config);
  const target = realPathOf(file);
  if (!existsSync(dirname(target))) throw new AppError('unavailable', `There is no folder ${dirname(target)}.`);
  return target;
};

/** Throws AppError `unavailable` when the file is part of the database: neither input nor output of a command can be. */
export const refuseDatabase = (file: string | { readonly descriptor: number }, config: Config): void => {
  const stat = typeof file === 'string' ? statOf(file) : fstatSync(file.descriptor);
  for (const own of databaseFilesOf(config)) {
    const isOwn = typeof file === 'string' && realPathOf(file) === own;
    if (isOwn || isSameFile(stat, statOf(own))) {
      throw new AppError('unavailable', 'The file is the database itself, or its log. Name another.');
    }
  }
};

/** A pipe or a device is written as it is; it cannot be replaced by a file that is whole. */
export const isReplaceable = (target: string): boolean => !existsSync(target) || statSync(target).isFile();

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** Two names of one file are hard links. */
const isSameFile = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
