import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../domain/error.ts';

/**
 * The file that a command is to write, with symbolic links followed. Throws AppError `unavailable` when it is the database
 * that the command reads, or lies where SQLite keeps its log.
 */
export const targetOf = (file: string, database: string): string => {
  const target = existsSync(file) ? realpathSync(file) : resolve(file);
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    if (isSameFile(target, `${database}${suffix}`)) {
      throw new AppError('unavailable', 'The file to write is the database itself, or its log. Name another.');
    }
  }
  return target;
};

/** A pipe or a device is written as it is; it cannot be replaced by a file that is whole. */
export const isReplaceable = (target: string): boolean => !existsSync(target) || statSync(target).isFile();

const isSameFile = (a: string, b: string): boolean => {
  if (!existsSync(a) || !existsSync(b)) return resolve(a) === resolve(b);
  const [one, other] = [statSync(a), statSync(b)];
  return one.dev === other.dev && one.ino === other.ino;
};
