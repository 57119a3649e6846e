/**
 * Transactions on one session, one after the other, whose outcome becomes known even if the connection is lost during COMMIT.
 * A lost transaction may be committed, rolled back, or still running in the server. So each transaction inserts a row with a unique id
 * into `transactions`, and after a loss the same id is inserted as a fence. This insert waits for the lost transaction to end.
 * If it finds the row of the transaction, that was committed. If it inserts the fence, the transaction can never commit, since its id is
 * taken. Nothing else is written on this session before the outcome is known. A fence stays: the lost transaction may insert its row late.
 */
import { setTimeout } from 'node:timers/promises';
import { and, eq, getTableColumns, not, sql } from 'drizzle-orm';
import { AppError, connectionLost, storeStopped, unwritable } from '../../base/app-error.ts';
import { placeholdersOf } from '../../storage/columns.ts';
import type { StoreObserver } from '../../storage/observer.ts';
import { transactions } from '../db/tables.ts';
import { DeadlineExceeded, isConflict, isLost, sqlStateOf, throwOfCommit, toAppError, withDeadline } from './errors.ts';
import { type ReconnectingSession, reconnectPauseMs } from './reconnecting-session.ts';
import { begin, runAlone, type Session, type TransactionEnd, type TransactionIds } from './session.ts';
import { builder, prepare, valuesOf } from './statement.ts';

interface Attempt<Result> extends TransactionIds {
  /** Set before anything is sent that may commit: the result of a transaction whose response is lost. */
  resultIfLost?: () => Result;
}

export const createWriter = (session: ReconnectingSession, { onRetry }: StoreObserver) => {
  /** Resolves when the transactions so far have ended. */
  let mutex: Promise<unknown> = Promise.resolve();
  /**
   * The id of the transaction before. Its outcome is known when the next one begins, which deletes its row: so the table has about
   * one row for each session, and the deletion takes no transaction of its own.
   */
  let earlierId = '';
  let isClosed = false;

  /** Waits for the earlier transactions. Resolves to a function that lets the next one begin. */
  const acquire = async (): Promise<() => void> => {
    const before = mutex;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    mutex = before.then(() => promise);
    try {
      await withDeadline(before, performance.now() + mutexMsMax);
      return release;
    } catch (error) {
      release();
      throw toAppError(error, 'write');
    }
  };

  /** Tries a transaction until its outcome is known, or until `endsAtMs`, by the monotonic clock. */
  const run = async <Result>(
    endsAtMs: number,
    tryOnce: (session: Session, attempt: Attempt<Result>) => Promise<Result>,
  ): Promise<Result> => {
    const release = await acquire();
    let settling: Promise<unknown> = Promise.resolve();
    try {
      if (performance.now() > endsAtMs - settleMsMin) throw new AppError(unwritable);
      for (let attempts = 1; ; attempts += 1) {
        if (isClosed) throw new AppError(storeStopped);
        const attempt: Attempt<Result> = { id: crypto.randomUUID(), earlierId };
        try {
          return await session.run((current) => tryOnce(current, attempt), endsAtMs - settleMsMin);
        } catch (error) {
          if (isLost(error) && attempt.resultIfLost) {
            const outcome = settle(attempt.id);
            settling = outcome.catch(() => {});
            const isCommitted = await withDeadline(outcome, endsAtMs).catch((cause) => {
              throw new AppError(connectionLost, { cause });
            });
            if (isCommitted) return attempt.resultIfLost();
          } else if (!mayRepeat(error) || attempts === attemptsMax) {
            throw toAppError(error, 'write');
          }
          if (performance.now() > endsAtMs - settleMsMin) throw toAppError(error, 'write');
          onRetry?.(sqlStateOf(error));
        } finally {
          earlierId = attempt.id;
        }
      }
    } finally {
      void settling.then(release);
    }
  };

  /** Resolves to whether the transaction with this id was committed, however long the server takes to answer. */
  const settle = async (id: string): Promise<boolean> => {
    for (let patienceMs = settlePatienceMs; !isClosed; patienceMs *= 2) {
      try {
        return await session.run(async (current) => {
          // It writes in both cases, so that it waits for the same standby as the lost transaction.
          const createdAt = new Date().toISOString();
          const [row] = await runAlone(current, () => insertFence(current, { id, createdAt }));
          return row?.isFence === false;
        }, performance.now() + patienceMs);
      } catch (error) {
        // A silent server may keep the connections that are closed here, so there must not be many.
        if (!(error instanceof DeadlineExceeded)) patienceMs = settlePatienceMs / 2;
      }
      await setTimeout(reconnectPauseMs);
    }
    throw new AppError(storeStopped);
  };

  return {
    /**
     * Runs `work` in a transaction and commits it. It may run again after a conflict or a loss, so it must have no effect outside.
     * Rejects with AppError `unavailable` if nothing was written, and with `outcome_unknown` if that cannot be determined.
     */
    transact: <Result>(
      work: (session: Session) => Promise<TransactionEnd<Result>>,
      endsAtMs = performance.now() + writeMsMax,
    ): Promise<Result> =>
      run(endsAtMs, async (current, attempt) => {
        const begun = [
          begin(current),
          insertTransaction(current, { id: attempt.id, createdAt: new Date().toISOString() }),
          removeTransaction(current, { id: attempt.earlierId }),
        ];
        try {
          const [{ result, last = [] }] = await Promise.all([work(current), ...begun]);
          attempt.resultIfLost = () => result;
          const [ended] = await Promise.all([current.query('COMMIT'), ...last]);
          if (ended.command !== 'COMMIT') throw new Error('PostgreSQL has rolled back a transaction without an error.');
          return result;
        } catch (error) {
          if (attempt.resultIfLost) return throwOfCommit(error, current);
          await current.query('ROLLBACK').catch(() => {});
          throw error;
        }
      }),

    /**
     * Like `transact`, for a transaction that is one statement, which also inserts the row `id` into `transactions` and deletes the row
     * `earlierId`. Resolves to `responseLost` if it was committed and its response was lost.
     */
    execute: <Result>(
      send: (session: Session, ids: TransactionIds) => Promise<Result>,
      endsAtMs: number,
    ): Promise<Result | typeof responseLost> =>
      run<Result | typeof responseLost>(endsAtMs, (current, attempt) => {
        attempt.resultIfLost = () => responseLost;
        return runAlone(current, () => send(current, attempt));
      }),

    /** Ends the wait for outcomes that cannot be determined any more. */
    close: (): void => {
      isClosed = true;
    },
  };
};

/** Instead of the result of a statement that was committed. */
export const responseLost = Symbol('response lost');

interface TransactionRow {
  readonly id: string;
  readonly createdAt: string;
}

const { id, isFence, createdAt } = getTableColumns(transactions);
const insert = (isFence: boolean) =>
  builder.insert(transactions).values({ ...placeholdersOf({ id, createdAt }), isFence });
const insertTransaction = prepare<TransactionRow>()(insert(false));
const insertFence = prepare<TransactionRow>()(
  insert(true)
    .onConflictDoUpdate({ target: id, set: valuesOf('excluded', { createdAt }) })
    .returning({ isFence }),
);
const removeTransaction = prepare<{ id: string }>()(
  builder.delete(transactions).where(and(eq(id, sql.placeholder('id')), not(isFence))),
);

/** Not after a timeout, which has used all the time. */
const mayRepeat = (error: unknown): boolean =>
  isConflict(error) || (isLost(error) && !(error instanceof DeadlineExceeded));

/** @limit Database | Duration of a transaction on PostgreSQL | 503 */
export const writeMsMax = 4500;
/** @limit Database | Wait of a transaction on PostgreSQL for earlier ones | 503 */
const mutexMsMax = 1500;
/** The part of `writeMsMax` that is reserved to determine the outcome after a loss. */
const settleMsMin = 1000;
/** The first time limit for determining an outcome: longer than the wait for a lock. */
const settlePatienceMs = 3000;
/** The number of attempts at a transaction that conflicts with others: more than ten if several processes change the same few plants. */
const attemptsMax = 100;
