import { readFileSync } from 'node:fs';
import { openSqliteStore } from '../../../src/engines/sqlite.ts';
import { connect } from '../../../src/sqlite/client.ts';
import { temporaryFolder } from '../folder.ts';

/** A database and its log, as a process leaves them that is killed. */
export interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
}

/** The files after each step, while the store that writes them is open: with `plants` plants, one a commit. */
export const filesAfter = async (
  ...steps: readonly ('checkpoint' | { readonly plants: number })[]
): Promise<readonly Files[]> => {
  using own = temporaryFolder();
  const path = own.file('p.sqlite');
  const store = openSqliteStore(path);
  const files: Files[] = [];
  let id = 0n;
  for (const step of steps) {
    if (step === 'checkpoint') {
      const client = connect(path);
      client.run('PRAGMA wal_checkpoint(PASSIVE)');
      client.close();
    } else {
      for (let count = 0; count < step.plants; count += 1) {
        await store.plants.create({ id, name: `n${id}` });
        id += 1n;
      }
    }
    files.push({ database: readFileSync(path), log: readFileSync(`${path}-wal`) });
  }
  await store.close();
  return files;
};
