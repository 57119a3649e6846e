import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Config } from './config.ts';

/** The folder for large temporary files: that of a SQLite file has space, and the system's may be in memory. */
export const spoolFolderOf = ({ database }: Pick<Config, 'database'>): string =>
  database.engine === 'sqlite' && database.path !== ':memory:' ? dirname(database.path) : tmpdir();
