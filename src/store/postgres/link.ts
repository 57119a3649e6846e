/**
 * A connection to the server that is replaced when it is lost. Bun's client has no deadlines, and a frozen server never answers, so
 * every use has a deadline here. When it passes, the connection is closed. No query is ever cancelled: PostgreSQL reports a
 * write as done whose wait for a standby was cancelled.
 */
import { DrizzleQueryError } from 'drizzle-orm';
import { AppError, storeStopped } from '../../domain/error.ts';
import type { Client } from './client.ts';
import { inTime, Late } from './deadline.ts';
import { isUseless } from './failure.ts';

export type Link = ReturnType<typeof createLink>;

/**
 * `connect` is called for each new connection, and again after a pause until it succeeds. `onSilence` is called when the server
 * has not answered in time. With `isKept` a connection that is lost is replaced at once, else when it is needed.
 */
export const createLink = (connect: () => Promise<Client>, onSilence: () => void, { isKept = false } = {}) => {
  let current: Promise<Client> | undefined;
  let usesUnderWay = 0;
  let isClosed = false;

  const connectUntilDone = async (): Promise<Client> => {
    while (!isClosed) {
      try {
        const client = await connect();
        if (!isClosed) return client;
        client.close();
      } catch {
        // The store reports why.
      }
      await Bun.sleep(reconnectPauseMs);
    }
    throw new AppError(storeStopped);
  };

  const get = (): Promise<Client> => {
    if (current) return current;
    const connection = connectUntilDone();
    current = connection;
    const forget = (): void => {
      if (current === connection) current = undefined;
      if (isKept && !isClosed) get().catch(() => {});
    };
    connection.then(({ ended }) => ended.addEventListener('abort', forget, { once: true }), forget);
    return connection;
  };

  return {
    usesUnderWay: () => usesUnderWay,
    /** Resolves to the result of `use`. Rejects with Late when it takes until `endsAtMs`, by the monotonic clock. */
    run: async <Result>(use: (client: Client) => Promise<Result>, endsAtMs: number): Promise<Result> => {
      usesUnderWay += 1;
      try {
        const client = await inTime(get(), endsAtMs);
        try {
          return await inTime(use(client), endsAtMs);
        } catch (thrown) {
          // Drizzle's own error has the statement and its values, which are nobody's business.
          const error = thrown instanceof DrizzleQueryError ? thrown.cause : thrown;
          if (isUseless(error)) client.close();
          if (error instanceof Late) onSilence();
          throw error;
        }
      } finally {
        usesUnderWay -= 1;
      }
    },
    /** Closes a connection that nothing uses. The next use makes a new one. */
    closeIdle: (): void => {
      void current?.then(({ close }) => usesUnderWay === 0 && close()).catch(() => {});
    },
    close: (): void => {
      isClosed = true;
      void current?.then(({ close }) => close()).catch(() => {});
    },
  };
};

export const reconnectPauseMs = 200;
