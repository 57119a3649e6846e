import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engines } from '../../../migrations.ts';
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
  for (const { folder: migrations, list } of engines) {
    const earlier = join(folder, `${migrations}-earlier.ts`);
    renameSync(join(folder, `${migrations}.ts`), earlier);
    writeFileSync(join(folder, `${migrations}.ts`), sourceOf(earlier, list));
  }
  return commandOn('bun', join(folder, 'src/main.ts'));
};

const sourceOf = (earlier: string, list: string): string => `import * as earlier from '${earlier}';

const next = { name: '${nextMigration}', sql: 'ALTER TABLE plants ADD COLUMN height bigint;' };
export const ${list} = [...earlier.${list}, next];
`;
