import type { StoreObserver } from '../../storage/observer.ts';
import type { Listen } from './connect.ts';
import { DeadlineExceeded, isLost, toAppError } from './errors.ts';
import { createReconnectingSession } from './reconnecting-session.ts';
import { type Session, type TransactionEnd, withStepDeadlines } from './session.ts';
import { createWakeUps } from './wake-up.ts';
import { createWriter } from './writer.ts';

/** The ways to read and to write, for all parts of the store. */
export type Database = ReturnType<typeof createDatabase>;

/** `connect` resolves to a session whose database may be used. */
export const createDatabase = (connect: () => Promise<Session>, listen: Listen, observer: StoreObserver) => {
  // When one session is silent, older ones may be dead too, as after a failover. Each would cost a caller a timeout.
  const retireAll = (beforeMs: number): void => {
    for (const { retire } of [...sessions, wakeUps]) retire(beforeMs);
  };
  let isDamaged = false;
  const onDamage = (): void => {
    isDamaged = true;
  };
  const readers = Array.from({ length: readersMax }, () => createReconnectingSession(connect, retireAll, { onDamage }));
  const plantSession = createReconnectingSession(connect, retireAll, { onDamage });
  // While it is connected, `copy` refuses the database.
  const otherSession = createReconnectingSession(connect, retireAll, { onDamage, isKept: true });
  const sessions = [...readers, plantSession, otherSession];
  const plantWriter = createWriter(plantSession, observer);
  const otherWriter = createWriter(otherSession, observer);

  const createReader =
    (sessions: typeof readers) =>
    async <Result>(
      query: (session: Session) => Promise<Result>,
      endsAtMs = performance.now() + readMsMax,
    ): Promise<Result> => {
      for (;;) {
        const session = sessions.reduce((least, other) =>
          other.usesInProgress() < least.usesInProgress() ? other : least,
        );
        try {
          return await session.run(query, endsAtMs);
        } catch (error) {
          if (error instanceof DeadlineExceeded || !isLost(error)) throw toAppError(error, 'read');
        }
      }
    };

  const read = createReader(readers);

  let position = 0n;

  const wakeUps = createWakeUps(read, listen);
  const { announce, subscribe } = wakeUps;
  const { transact } = otherWriter;

  return {
    /**
     * Resolves to the result of queries that do not write. If the connection is lost, they are repeated on another one until
     * `endsAtMs`, by the monotonic clock. Rejects with AppError `unavailable`.
     */
    read,
    /** The same for a page of a list, or a count. One session is for other reads alone, which would wait behind these. */
    readList: createReader(readers.slice(1)),
    /** Only for the batches of changes to plants. */
    plantWriter,
    /** For all other changes. */
    transact,
    /** Commits a change that may cause webhook messages, and then announces it. */
    transactForWebhooks: async <Result>(
      work: (session: Session) => Promise<TransactionEnd<Result>>,
    ): Promise<Result> => {
      const result = await transact(work);
      announce('webhook');
      return result;
    },
    /** A separate session, for a long operation. The caller closes it. */
    borrow: async (during: 'read' | 'write'): Promise<Session> => {
      try {
        return withStepDeadlines(await connect());
      } catch (error) {
        throw toAppError(error, during);
      }
    },
    /** The highest sequence of the log that this process knows to be committed. */
    position: () => position,
    /** Records that the log has reached a sequence. */
    advance: (sequence: bigint): void => {
      if (sequence > position) position = sequence;
    },
    /** Whether the server has reported damage. It may repair it, so nothing is refused. */
    isDamaged: () => isDamaged,
    /** Forgets the damage of a server that was away: another one may have its place. */
    forgetDamage: (): void => {
      isDamaged = false;
    },
    observer,
    announce,
    subscribe,
    dataVersion: wakeUps.dataVersion,
    close: async (): Promise<void> => {
      await wakeUps.close();
      for (const { close } of [plantWriter, otherWriter, ...sessions]) close();
    },
  };
};

/** The number of sessions that reads share. Each is made when the others are busy. */
export const readersMax = 4;

/** @limit Database | Other read from PostgreSQL, with its wait | 503 */
const readMsMax = 2500;
