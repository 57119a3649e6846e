import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engines } from '../../../migrations.ts';
import { root } from '../../../release/command.ts';
import { commandOn } from '../../support/programs/runtimes.ts';

/** The last migration of the newer program: it adds a column, as most releases do. */
export const nextMigration = '9999_height';

/** Makes a copy of the program in a folder, with one more migration on each engine. Returns its command. */
export const createNewerProgram = (folder: string): readonly string[] => {
  mkdirSync(folder);
  for (const name of ['src', 'db', 'openapi', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { folder: migrations } of engines) {
    const list = join(folder, `${migrations}.json`);
    const earlier: readonly unknown[] = JSON.parse(readFileSync(list, 'utf8'));
    writeFileSync(list, JSON.stringify([...earlier, next]));
  }
  return commandOn('bun', join(folder, 'src/main.ts'));
};

const next = { name: nextMigration, sql: 'ALTER TABLE plants ADD COLUMN height bigint;' };
