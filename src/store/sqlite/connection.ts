import type { SqliteClient } from '../../runtime/runtime.ts';
import type { Topic } from '../store.ts';
import { connect, memory, neverBlocking } from './client.ts';
import { type Fatal, type FileReplaced, isSqliteError, toFatal } from './errors.ts';
import type { FileIdentity } from './file.ts';
import { createTurn, type TurnOptions } from './turn.ts';

/** One connection, one way to read and one way to write, for all parts of the store. */
export type Connection = ReturnType<typeof createConnection>;

export interface ConnectionOptions extends Pick<TurnOptions, 'observer' | 'turnReadMs'> {
  /** Called once when the disk fails or the files are replaced, and the process must stop. All later reads and writes are rejected. */
  readonly onFatal?: (fatal: Fatal) => void;
  /** The time of changes to plants, of new webhooks and of test messages. Default: the system's clock. */
  readonly now?: () => Date;
}

/** Shares a client of the database at `path`. */
export const createConnection = (
  path: string,
  client: SqliteClient,
  identity: FileIdentity,
  { onFatal, observer = {}, now = () => new Date(), turnReadMs }: ConnectionOptions,
) => {
  let replaced: FileReplaced | undefined;
  let hasFailed = false;
  const fail = (error: Error): void => {
    if (!hasFailed) onFatal?.(toFatal(error));
    hasFailed = true;
  };
  const isReplaced = (check = identity.check): boolean => {
    if (replaced) return true;
    replaced = check();
    if (!replaced) return false;
    emptyOrphanedLog();
    fail(replaced);
    return true;
  };
  /** Checkpoints the log into its own database, wherever that is now, so that no other database gets it. */
  const emptyOrphanedLog = (): void => {
    if (!identity.isLogOrphaned()) return;
    try {
      turn.endReads();
      client.run('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isSqliteError(error)) throw error;
    }
  };
  const throwIfReplaced = (check = identity.check): void => {
    if (isReplaced(check)) throw replaced;
  };
  const watching = setInterval(() => isReplaced(), watchMs).unref();

  const turn = createTurn(client, {
    beforeBegin: () => throwIfReplaced(identity.checkIndex),
    afterCommit: throwIfReplaced,
    onFatal: fail,
    observer,
    turnReadMs,
  });
  const listeners = new Set<(topic: Topic) => void>();
  const announce = (topic: Topic): void => {
    for (const listener of listeners) listener(topic);
  };
  return {
    client: neverBlocking(client),
    read: turn.read,
    commit: turn.commit,
    queued: turn.queued,
    dataVersion: turn.dataVersion,
    observer,
    now,
    /** Commits a write that may cause webhook messages, and then calls all subscribers. */
    commitAndAnnounce: async <Result>(topic: Topic, write: () => Result): Promise<Result> => {
      const result = await turn.commit(write);
      announce(topic);
      return result;
    },
    /** Calls the subscribers after another commit. */
    announce,
    /** Returns a function that ends the subscription. */
    subscribe: (listener: (topic: Topic) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Whether the files are not those that were opened any more. To be called after a commit of a borrowed client. */
    isReplaced: (): boolean => isReplaced(),
    /** Lends a client for a transaction that spans awaits. It must be disposed of. */
    borrow: (): BorrowedClient => {
      if (path === memory) {
        turn.endReads();
        return { client, isOwn: false, [Symbol.dispose]: () => {} };
      }
      throwIfReplaced();
      const own = neverBlocking(connect(path));
      const release = (): void => {
        turn.endReads();
        own.close();
      };
      return { client: own, isOwn: true, [Symbol.dispose]: release };
    },
    close: (): void => {
      clearInterval(watching);
      if (isReplaced()) {
        identity.extendIndex();
        // Again: a transaction that was open at the detection has kept the log.
        emptyOrphanedLog();
      }
      turn.close();
      client.close();
    },
  };
};

interface BorrowedClient extends Disposable {
  readonly client: SqliteClient;
  /** Whether the client is a separate connection; a database in memory has only one. */
  readonly isOwn: boolean;
}

/** The interval between checks of the files while nothing is written. */
const watchMs = 1000;
