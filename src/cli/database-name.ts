/** The names of a command's database in messages, and the folders for its files. */
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { runtime } from '#runtime';
import type { Config } from '../config.ts';
import type { Build } from '../metrics.ts';
import { version } from './package.ts';

/** The name of the database for people, without a password. */
export const databaseNameOf = ({ database }: Config): string =>
  database.engine === 'sqlite' ? resolve(database.path) : database.name;

/** The database system, by the names of OpenTelemetry. */
export const systemOf = ({ database }: Config): string =>
  database.engine === 'sqlite' ? database.engine : database.system;

export const buildOf = ({ database: { engine } }: Config): Build => ({
  version,
  runtime: runtime.name,
  runtime_version: runtime.version,
  engine,
});

/** The folder for files that go with the database. */
export const folderOf = ({ database }: Config): string =>
  database.engine === 'sqlite' ? dirname(database.path) : 'data';

/** The folder for large temporary files: that of a SQLite file has space, and the system's may be in memory. */
export const spoolFolderOf = ({ database }: Config): string =>
  database.engine === 'sqlite' ? dirname(database.path) : tmpdir();
