/**
 * Transactions on one connection, one after the other, whose outcome becomes known even if the connection is lost during COMMIT.
 * Such a transaction may be committed, rolled back, or still running in the server. So each transaction inserts a row with a unique id
 * into `batches`, and after a loss the same id is inserted as a fence. This insert waits for the lost transaction to end.
 * If it finds the row of the transaction, that was committed. If it inserts the fence, the transaction can never commit, since its id is
 * taken. Nothing else is written on this connection before the outcome is known. A fence stays: the lost transaction may insert its row late.
 */
import { AppError, connectionLost, storeStopped, unwritable } from '../../../domain/error.ts';
import type { StoreObserver } from '../../observer.ts';
import { DeadlineExceeded, isConflict, isLost, sqlStateOf, toAppError, withDeadline } from './errors.ts';
import { type Link, reconnectPauseMs } from './reconnecting-session.ts';
import { begin, type Client, runAlone } from './session.ts';

/** The result of a transaction, and its last statements, which are sent together with COMMIT. */
export interface Changes<Result> {
  readonly result: Result;
  readonly last?: readonly Promise<unknown>[];
}

/** A transaction that is one statement, which inserts the row `id` into `batches` itself, and may delete the row `earlierId`. */
export interface Statement<Result> {
  readonly send: (client: Client, ids: { readonly id: string; readonly earlierId: string }) => Promise<Result>;
  /** Finds the result of a committed statement whose response was lost. */
  readonly recall: () => Promise<Result>;
}

export type Writer = ReturnType<typeof createWriter>;

export const createWriter = (link: Link, { onRetry }: StoreObserver) => {
  let turn: Promise<unknown> = Promise.resolve();
  /**
   * The id of the transaction before. Its outcome is known when the next one begins, which deletes its row: so the table has about
   * one row for each connection, and the deletion takes no transaction of its own.
   */
  let earlierId = '';
  let isClosed = false;

  /** Waits for the earlier transactions. Resolves to a function that lets the next one begin. */
  const takeTurn = async (): Promise<() => void> => {
    const before = turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    turn = before.then(() => promise);
    try {
      await withDeadline(before, performance.now() + turnMsMax);
      return resolve;
    } catch (error) {
      resolve();
      throw toAppError(error, 'write');
    }
  };

  /**
   * Runs `attempt` until its outcome is known, or until `endsAtMs`, by the monotonic clock. The attempt calls `onCommitting` before
   * it sends what may commit.
   */
  const run = async <Result>(
    endsAtMs: number,
    attempt: (client: Client, id: string, onCommitting: () => void) => Promise<Result>,
    recall: () => Promise<Result>,
  ): Promise<Result> => {
    const next = await takeTurn();
    let settling: Promise<unknown> = Promise.resolve();
    try {
      if (performance.now() > endsAtMs - settleMsMin) throw new AppError(unwritable);
      for (let attempts = 1; ; attempts += 1) {
        let mayBeCommitted = false;
        const onCommitting = (): void => {
          mayBeCommitted = true;
        };
        if (isClosed) throw new AppError(storeStopped);
        const id = Bun.randomUUIDv7();
        try {
          return await link.run((client) => attempt(client, id, onCommitting), endsAtMs - settleMsMin);
        } catch (error) {
          if (isLost(error) && mayBeCommitted) {
            const outcome = settle(link, id, () => isClosed);
            settling = outcome.catch(() => {});
            const isCommitted = await withDeadline(outcome, endsAtMs).catch((cause) => {
              throw new AppError(connectionLost, { cause });
            });
            if (isCommitted) return await recall();
          } else if (!mayRepeat(error) || attempts === attemptsMax) {
            throw toAppError(error, 'write');
          }
          if (performance.now() > endsAtMs - settleMsMin) throw toAppError(error, 'write');
          onRetry?.(sqlStateOf(error));
        } finally {
          earlierId = id;
        }
      }
    } finally {
      void settling.then(next);
    }
  };

  return {
    /**
     * Runs `work` in a transaction and commits it. It may run again after a conflict or a loss, so it must have no effect outside.
     * Rejects with AppError `unavailable` if nothing was written, and with `outcome_unknown` if that cannot be determined.
     */
    transact: async <Result>(
      work: (client: Client) => Promise<Changes<Result>>,
      endsAtMs = performance.now() + writeMsMax,
    ): Promise<Result> => {
      /** At most one: the transaction that is being committed. */
      let committing: Changes<Result>[] = [];
      const attempt = async (client: Client, id: string, onCommitting: () => void): Promise<Result> => {
        const { sql } = client;
        committing = [];
        const begun = [
          begin(client),
          sql`INSERT INTO batches (id, is_fence, created_at) VALUES (${id}, false, ${new Date().toISOString()})`.execute(),
          sql`DELETE FROM batches WHERE id = ${earlierId} AND NOT is_fence`.execute(),
        ];
        try {
          const [changes] = await Promise.all([work(client), ...begun]);
          committing = [changes];
          onCommitting();
          const [ended] = await Promise.all([sql`COMMIT`, ...(changes.last ?? [])]);
          if (ended.command !== 'COMMIT') throw new Error('PostgreSQL has rolled back a transaction without an error.');
          return changes.result;
        } catch (error) {
          if (committing.length === 0) await sql`ROLLBACK`.catch(() => {});
          throw error;
        }
      };
      const recall = async (): Promise<Result> => {
        const [changes] = committing;
        if (!changes) throw new Error('No transaction was sent.');
        return changes.result;
      };
      return run(endsAtMs, attempt, recall);
    },

    /** The same for a transaction that is one statement. */
    execute: async <Result>({ send, recall }: Statement<Result>, endsAtMs: number): Promise<Result> => {
      const attempt = (client: Client, id: string, onCommitting: () => void): Promise<Result> => {
        onCommitting();
        return runAlone(client, () => send(client, { id, earlierId }));
      };
      return run(endsAtMs, attempt, recall);
    },

    /** Ends the wait for outcomes that cannot be determined any more. */
    close: (): void => {
      isClosed = true;
    },
  };
};

/** Resolves to whether the transaction with this id was committed, however long the server takes to answer. */
const settle = async (link: Link, id: string, isClosed: () => boolean): Promise<boolean> => {
  for (let patienceMs = settlePatienceMs; !isClosed(); patienceMs *= 2) {
    try {
      return await link.run(async (client) => {
        // It writes in both cases, so that it waits for the same standby as the lost transaction.
        const insertFence = (): Promise<{ is_fence: boolean }[]> =>
          client.sql`INSERT INTO batches (id, is_fence, created_at) VALUES (${id}, true, ${new Date().toISOString()})
          ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at RETURNING is_fence`.execute();
        const [row] = await runAlone(client, insertFence);
        return row?.is_fence === false;
      }, performance.now() + patienceMs);
    } catch (error) {
      // A silent server may keep the connections that are closed here, so there must not be many.
      if (!(error instanceof DeadlineExceeded)) patienceMs = settlePatienceMs / 2;
    }
    await Bun.sleep(reconnectPauseMs);
  }
  throw new AppError(storeStopped);
};

/** Not after a timeout, which has used all the time. */
const mayRepeat = (error: unknown): boolean =>
  isConflict(error) || (isLost(error) && !(error instanceof DeadlineExceeded));

/** @limit Database | Duration of a transaction on PostgreSQL | 503 */
export const writeMsMax = 4500;
/** @limit Database | Wait of a transaction on PostgreSQL for earlier ones | 503 */
const turnMsMax = 1500;
/** The part of `writeMsMax` that is reserved to determine the outcome after a loss. */
const settleMsMin = 1000;
/** The first time limit for determining an outcome: longer than the wait for a lock. */
const settlePatienceMs = 3000;
/** The number of attempts at a transaction that conflicts with others: more than ten if several processes change the same few plants. */
const attemptsMax = 100;
