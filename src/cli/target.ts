import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../base/operator-error.ts';
import { realPathOf } from '../base/real-path.ts';
import type { Config } from '../config.ts';
import { refuseDatabase } from './options.ts';

/**
 * The file that a command is to write, with symbolic links followed. Throws OperatorError when it belongs to the
 * database, under whatever name, and when its folder does not exist.
 */
export const targetOf = (file: string, config: Config): string => {
  refuseDatabase(file, config);
  const target = realPathOf(file);
  if (!existsSync(dirname(target))) throw new OperatorError(`There is no folder ${dirname(target)}.`);
  return target;
};

/** A pipe or a device is written as it is; it cannot be replaced by a file that is whole. */
export const isReplaceable = (target: string): boolean => !existsSync(target) || statSync(target).isFile();
