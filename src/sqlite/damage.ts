/**
 * Tells damage from a failed read. SQLite reports both as SQLITE_CORRUPT, so the operation is repeated, and the files are read from beginning
 * to end. Damage is what SQLite reports again although every byte can be read.
 *
 * The process continues: a restart repairs nothing, and reads of intact pages succeed. But it refuses all writes: a restore would lose
 * them, and a write into a damaged file can overwrite intact rows.
 */
import { existsSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { runtime } from '#runtime';
import { AppError, damaged, unreadable, unwritable } from '../base/app-error.ts';
import { codeOf, OperatorError } from '../base/error.ts';
import { isWritable } from '../base/file-system.ts';
import { memoize } from '../base/memoize.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { openUnwritable } from './client.ts';
import { isDamage, toAppError } from './errors.ts';

export type Damage = ReturnType<typeof createDamage>;

/** Watches one database. `onFound` is called once. */
export const createDamage = (path: string, onFound: () => void = () => {}) => {
  let isFound = false;
  let reading: Promise<boolean> | undefined;

  const isReadableNow = (): Promise<boolean> => {
    reading ??= isReadableInTurns(path).finally(() => {
      reading = undefined;
    });
    return reading;
  };

  const isConfirmed = async (error: unknown, again: () => unknown): Promise<boolean> =>
    isFound || codeOf(error) === missingInIndex || (throwsDamage(again) && (await isReadableNow()));

  const find = (): void => {
    if (!isFound) onFound();
    isFound = true;
  };

  return {
    /** Whether this process has found damage. */
    isFound: (): boolean => isFound,
    /** The error for the caller. `again` repeats the operation that failed, without an effect. By default, it checks every page. */
    toAppError: async (
      error: unknown,
      during: 'read' | 'write',
      again: () => unknown = () => checkFile(path),
    ): Promise<unknown> => {
      if (!isDamage(error)) return toAppError(error, during);
      if (await isConfirmed(error, again)) find();
      if (isFound) return new AppError(damaged, { cause: error });
      return new AppError(during === 'read' ? unreadable : unwritable, { cause: error });
    },
  };
};

/** No failed read has this code. */
const missingInIndex = 'SQLITE_CORRUPT_INDEX';

const throwsDamage = (again: () => unknown): boolean => {
  try {
    again();
    return false;
  } catch (error) {
    return isDamage(error);
  }
};

const checkFile = (path: string): void => {
  // Not read-only: the last connection removes the log when it is closed.
  using client = isWritable(path) ? runtime.openSqlite(path) : openUnwritable(path);
  checkPages(client);
};

/** Throws an error with the code SQLITE_CORRUPT unless every page is well-formed. */
export const checkPages = (client: SqliteClient): void => {
  if (!isIntact(client, 'pages')) throw new DamagedPages();
};

/** Whether every page is well-formed, and with `indexes` whether every index has all rows, which takes about twice as long. */
export const isIntact = (client: SqliteClient, what: 'pages' | 'indexes'): boolean => {
  const pragma = what === 'pages' ? 'quick_check(1)' : 'integrity_check(1)';
  try {
    return Object.values(client.prepare<object>(`PRAGMA ${pragma}`).all()[0] ?? {})[0] === 'ok';
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
};

export class DamagedPages extends Error {
  override readonly name = 'DamagedPages';
  readonly code = 'SQLITE_CORRUPT';
}

/** Whether the system can read every byte of the database and its log. */
export const isReadable = (path: string): boolean => {
  try {
    return [...readBlocks(path)].every(Boolean);
  } catch {
    return false;
  }
};

const isReadableInTurns = async (path: string): Promise<boolean> => {
  try {
    for (const _ of readBlocks(path)) await setImmediate();
    return true;
  } catch {
    return false;
  }
};

function* readBlocks(path: string): Generator<number> {
  const buffer = new Uint8Array(1024 * 1024);
  for (const file of [path, `${path}-wal`].filter((file) => existsSync(file))) {
    const descriptor = openOnce(file);
    for (let position = 0; ; position += buffer.length) {
      const length = readSync(descriptor, buffer, 0, buffer.length, position);
      if (length === 0) break;
      yield length;
    }
  }
}

/** It is never closed: a process that closes any descriptor of a database loses the locks of its connections. */
const openOnce = memoize(64, (file) => openSync(file, 'r'));

/** For a command: why a database cannot be used. */
export const damagedError = (path: string, consequence: string): OperatorError =>
  new OperatorError(`Database ${path} is damaged; restore a backup. ${consequence}`);
