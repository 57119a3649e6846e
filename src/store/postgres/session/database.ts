import type { StoreObserver } from '../../observer.ts';
import type { Change } from '../../store.ts';
import type { Listen } from './connect.ts';
import { DeadlineExceeded, isLost, toAppError } from './errors.ts';
import { createLink } from './reconnecting-session.ts';
import type { Client } from './session.ts';
import { createWakeUps } from './wake-up.ts';
import { type Changes, createWriter } from './writer.ts';

/** The ways to read and to write, for all parts of the store. */
export type Connection = ReturnType<typeof createConnection>;

/** `connect` resolves to a client whose database may be used. */
export const createConnection = (connect: () => Promise<Client>, listen: Listen, observer: StoreObserver) => {
  // When one connection is silent, older ones may be dead too, as after a failover. Each would cost a caller a timeout.
  const retireAll = (beforeMs: number): void => {
    for (const { retire } of [...links, wakeUps]) retire(beforeMs);
  };
  const readers = Array.from({ length: readersMax }, () => createLink(connect, retireAll));
  const plantLink = createLink(connect, retireAll);
  // While it is connected, `copy` refuses the database.
  const otherLink = createLink(connect, retireAll, { isKept: true });
  const links = [...readers, plantLink, otherLink];
  const plantWriter = createWriter(plantLink, observer);
  const otherWriter = createWriter(otherLink, observer);

  /**
   * Resolves to the result of queries that do not write. If the connection is lost, they are repeated on another one until
   * `endsAtMs`, by the monotonic clock. Rejects with AppError `unavailable`.
   */
  const read = async <Result>(
    query: (client: Client) => Promise<Result>,
    endsAtMs = performance.now() + readMsMax,
  ): Promise<Result> => {
    for (;;) {
      const link = readers.reduce((least, other) => (other.usesInProgress() < least.usesInProgress() ? other : least));
      try {
        return await link.run(query, endsAtMs);
      } catch (error) {
        if (error instanceof DeadlineExceeded || !isLost(error)) throw toAppError(error, 'read');
      }
    }
  };

  const wakeUps = createWakeUps(read, listen);
  const { announce, subscribe } = wakeUps;
  const { transact } = otherWriter;

  return {
    read,
    /** Only for the batches of changes to plants. */
    plantWriter,
    /** For all other changes. */
    transact,
    /** Commits a change that may cause webhook messages, and then announces it. */
    change: async <Result>(what: Change, work: (client: Client) => Promise<Changes<Result>>): Promise<Result> => {
      const result = await transact(work);
      announce(what);
      return result;
    },
    /** A separate client, for long operations. The caller closes it. */
    borrow: connect,
    observer,
    announce,
    subscribe,
    close: async (): Promise<void> => {
      await wakeUps.close();
      for (const { close } of [plantWriter, otherWriter, ...links]) close();
    },
  };
};

/** The number of connections that reads share. Each is made when the others are busy. */
const readersMax = 4;

/** @limit Database | Duration of any other read from PostgreSQL, including its wait | 503 */
const readMsMax = 2500;
