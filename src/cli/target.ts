/** The file that a command writes. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../base/error.ts';
import { realPathOf } from '../base/real-path.ts';
import type { Config } from '../config.ts';
import { refuseDatabase } from './database.ts';

/** The path of a file to write, with symbolic links followed. Throws OperatorError for a file of the database, a folder, and a missing folder. */
export const targetOf = (file: string, config: Config): string => {
  refuseDatabase(file, config);
  const target = realPathOf(file);
  if (!existsSync(dirname(target))) throw new OperatorError(`Folder ${dirname(target)} does not exist.`);
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) throw new OperatorError(`${file} is a folder.`);
  return target;
};

/** The error for a file that would be replaced. */
export const existing = (file: string): OperatorError =>
  new OperatorError(`${file} exists; use --force to replace it.`);
