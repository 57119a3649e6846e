import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../release/command.ts';
import { commandOn } from '../../support/runtimes.ts';

/** The last migration of the newer program: it adds a column, as most releases do. */
export const nextMigration = '9999_height';

/** Makes a copy of the program in a folder, with one more migration on each engine. Returns its command. */
export const createNewerProgram = (folder: string): readonly string[] => {
  mkdirSync(folder);
  for (const name of ['src', 'db', 'openapi', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const migrations = join(folder, 'db/migrations.ts');
  renameSync(migrations, join(folder, 'db/earlier-migrations.ts'));
  writeFileSync(migrations, source);
  return commandOn('bun', join(folder, 'src/main.ts'));
};

const source = `import * as earlier from './earlier-migrations.ts';

export type { Migration } from './earlier-migrations.ts';

const next = { name: '${nextMigration}', sql: 'ALTER TABLE plants ADD COLUMN height bigint;' };
export const sqliteMigrations = [...earlier.sqliteMigrations, next];
export const postgresMigrations = [...earlier.postgresMigrations, next];
`;
