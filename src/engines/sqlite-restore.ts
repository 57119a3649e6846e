/**
 * Puts a backup in the place of a database. At every moment the place has the old database or the new one, complete, also after a kill or a
 * power cut. The old one is kept beside it, with its log, under a name with the time:
 *
 * 1. The backup is copied into a draft and checked.
 * 2. The old files get their second name: by a link, or by copies if there is a log, which step 3 applies.
 * 3. SQLite applies the log to the old database and removes it: beside the new database it would be applied to that.
 * 4. The draft is renamed.
 *
 * Steps 2 and 4 hold a lock that excludes every other connection. The log of a damaged database may not be applicable. It is then removed
 * before step 4, and after a kill between the two, only the files of step 2 have it.
 */
import { chownSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { runtime } from '#runtime';
import { OperatorError, tryTo, withFile } from '../base/error.ts';
import { isDiskFull } from '../base/error-report.ts';
import { createFolders, realPathOf, syncPath } from '../base/file-system.ts';
import { createDraft } from '../base/temporary-file.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { closeOnFailure, connect } from '../sqlite/client.ts';
import { isDamage, isLocked, toOpenError } from '../sqlite/errors.ts';
import { suffixes, throwIfMountedAlone } from '../sqlite/file.ts';
import { expectOwn, inspect } from '../sqlite/migrate.ts';
import { copyTo } from './sqlite-backup.ts';

/**
 * Restores the backup at `source` as the database with this name, which need not exist. Resolves to the path of the replaced database, if there
 * was one. Rejects with OperatorError, and changes nothing, if the backup must not be used or the database is in use; and as `copyTo` does.
 */
export const restore = async (source: string, name: string, signal?: AbortSignal): Promise<string | undefined> => {
  inspect(source, { acceptsOlder: true });
  const path = realPathOf(name);
  throwIfMountedAlone(path);
  createFolders(dirname(path));
  using draft = createDraft(path, [...suffixes, ...['', ...suffixes].map((suffix) => lockName + suffix)]);
  await copyTo(source, draft.path, signal);
  const kept = `${path}.${new Date().toISOString().replace(/[:.]/g, '-')}.replaced`;
  if (!existsSync(path)) {
    for (const log of logsOf(path)) renameSync(log, keptLog(log, path, kept));
    giveTo(draft.path, dirname(path));
    draft.take({ replace: false });
    syncPath(dirname(path));
    return undefined;
  }

  const link = draft.path + lockName;
  {
    using _ = lock(path, link, (client) => {
      if (statSync(path).size > 0) expectOwn(client, path);
    });
    keep(path, kept);
  }
  if (hasLog(path)) applyLog(path, kept);
  {
    using _ = lock(path, link);
    // Another process has used the database meanwhile.
    if (logsOf(path).some((log) => statSync(log).size > 0 && !existsSync(keptLog(log, path, kept)))) throw inUse(path);
    for (const log of logsOf(path)) rmSync(log);
    giveTo(draft.path, path);
    draft.take({ replace: true });
    syncPath(dirname(path));
  }
  return kept;
};

const lockName = '-lock';

const logsOf = (path: string): string[] => suffixes.map((suffix) => path + suffix).filter((file) => existsSync(file));

/** Whether there may be changes that are not in the database itself. */
const hasLog = (path: string): boolean =>
  logsOf(path).some((file) => !file.endsWith('-shm') && statSync(file).size > 0);

/** Gives the files a second name, synced. To close a copied file ends the lock on it, so a write meanwhile is detected by its time. */
const keep = (path: string, kept: string): void => {
  const before = timesOf(path);
  try {
    if (hasLog(path) || !isLinked(path, kept)) copyFileSync(path, kept);
    for (const log of logsOf(path)) copyFileSync(log, keptLog(log, path, kept));
    for (const file of [kept, ...logsOf(kept), dirname(path)]) syncPath(file);
    if (timesOf(path) !== before) throw inUse(path);
  } catch (error) {
    remove(kept);
    throw isDiskFull(error)
      ? new OperatorError(`Cannot write ${kept}: the disk is full.`)
      : withFile('write', kept, error);
  }
};

const keptLog = (log: string, path: string, kept: string): string => kept + log.slice(path.length);

const timesOf = (path: string): string =>
  [path, ...logsOf(path)].map((file) => `${file} ${statSync(file).mtimeMs} ${statSync(file).size}`).join();

/** Some file systems have no links. */
const isLinked = (path: string, link: string): boolean =>
  tryTo(() => {
    linkSync(path, link);
    return true;
  }) ?? false;

/**
 * Excludes all other connections until it is disposed of. Throws OperatorError while there is one. The connection is by a second name of the
 * file, a link: it has the same locks, and another log, so the log is not touched.
 *
 * A file whose header is destroyed has no lock that SQLite can take. A service that still uses it notices the replacement, and stops.
 */
const lock = (path: string, link: string, check: Check = () => {}): Disposable => {
  if (!isLinked(path, link)) return lockIn(path, path, check);
  try {
    const own = lockIn(link, path, check);
    return {
      [Symbol.dispose]: () => {
        own[Symbol.dispose]();
        remove(link);
      },
    };
  } catch (error) {
    remove(link);
    throw error;
  }
};

const remove = (link: string): void => {
  for (const suffix of ['', ...suffixes]) rmSync(link + suffix, { force: true });
};

type Check = (client: SqliteClient) => void;

const lockIn = (file: string, path: string, check: Check): Disposable => {
  try {
    return closeOnFailure(runtime.openSqlite(file), (client) => {
      client.run('PRAGMA busy_timeout = 1000');
      client.run('PRAGMA locking_mode = EXCLUSIVE');
      client.run('BEGIN EXCLUSIVE');
      check(client);
    });
  } catch (error) {
    if (isLocked(error)) throw inUse(path);
    if (!isDamage(error)) throw toOpenError(path, error);
    return { [Symbol.dispose]: () => {} };
  }
};

const inUse = (path: string): OperatorError =>
  new OperatorError(`Database ${path} is in use. Stop serve and all other programs that use it.`);

/** The last connection applies the log to the database and removes it. That of a damaged database may stay. */
const applyLog = (path: string, kept: string): void => {
  try {
    connect(path, { isExclusive: true }).close();
  } catch (error) {
    if (isLocked(error)) throw inUse(path);
    if (!isDamage(error)) throw toOpenError(path, error);
    return;
  }
  if (!hasLog(path)) return;
  remove(kept);
  throw new OperatorError(`The log of ${path} cannot be written into it: the disk has failed or is full.`);
};

/** A command of root must not take the database from the user of the service. Only root can give it. */
const giveTo = (draft: string, model: string): void => {
  const { uid, gid } = statSync(model);
  tryTo(() => chownSync(draft, uid, gid));
};
