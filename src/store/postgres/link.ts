/**
 * A connection to the server that is replaced when it is lost. Bun's client has no deadlines, and a frozen server never answers, so
 * every use has a deadline here. When it passes, the connection is closed. No query is ever cancelled: PostgreSQL reports a
 * write as done whose wait for a standby was cancelled.
 */
import { DrizzleQueryError } from 'drizzle-orm';
import { AppError, storeStopped } from '../../domain/error.ts';
import type { Client } from './client.ts';
import { inTime, Late } from './deadline.ts';
import { isUseless, showsPooler } from './failure.ts';

export type Link = ReturnType<typeof createLink>;

/**
 * `connect` is called for each new connection, and again after a pause until it succeeds. `onDoubt` is called when the
 * connections may be of no use that were made before a certain time: the server has not answered a use in time, or the sessions
 * are not our own. With `isKept` a connection that is lost is replaced at once, else when it is needed.
 */
export const createLink = (
  connect: () => Promise<Client>,
  onDoubt: (beforeMs: number) => void,
  { isKept = false } = {},
) => {
  let current: Connection | undefined;
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

  const get = (): Connection => {
    if (current) return current;
    const connection: Connection = {
      client: connectUntilDone(),
      connectedAtMs: Number.POSITIVE_INFINITY,
      uses: 0,
      isRetired: false,
    };
    current = connection;
    connection.client.then(
      ({ ended }) => {
        connection.connectedAtMs = performance.now();
        // A server that stops may end it together with the last answer of its set-up.
        if (ended.aborted) forget(connection);
        else ended.addEventListener('abort', () => forget(connection), { once: true });
      },
      () => forget(connection),
    );
    return connection;
  };

  /** The next use makes a new connection. */
  const forget = (connection: Connection): void => {
    if (current === connection) current = undefined;
    if (isKept && !isClosed) get();
  };

  return {
    /** How many uses of the connection are under way. */
    usesUnderWay: () => current?.uses ?? 0,
    /** Resolves to the result of `use`. Rejects with Late when it takes until `endsAtMs`, by the monotonic clock. */
    run: async <Result>(use: (client: Client) => Promise<Result>, endsAtMs: number): Promise<Result> => {
      const sinceMs = performance.now();
      const connection = get();
      connection.uses += 1;
      try {
        const client = await inTime(connection.client, endsAtMs);
        try {
          return await inTime(use(client), endsAtMs);
        } catch (thrown) {
          // Drizzle's own error has the statement and its values, which are nobody's business.
          const error = thrown instanceof DrizzleQueryError ? thrown.cause : thrown;
          if (isUseless(error)) client.close();
          if (error instanceof Late) onDoubt(sinceMs);
          if (showsPooler(error)) {
            client.suspectPooler();
            onDoubt(performance.now());
          }
          throw error;
        }
      } finally {
        connection.uses -= 1;
        if (connection.isRetired) closeUnused(connection);
      }
    },
    /** Gives a connection that was made before this time to nobody any more, and closes it when its uses have ended. */
    retire: (beforeMs: number): void => {
      const connection = current;
      if (!connection || connection.connectedAtMs > beforeMs) return;
      connection.isRetired = true;
      forget(connection);
      closeUnused(connection);
    },
    close: (): void => {
      isClosed = true;
      void current?.client.then(({ close }) => close()).catch(() => {});
    },
  };
};

/** A connection, or the attempts to make it. */
interface Connection {
  readonly client: Promise<Client>;
  /** By the monotonic clock. */
  connectedAtMs: number;
  uses: number;
  isRetired: boolean;
}

const closeUnused = ({ client, uses }: Connection): void => {
  if (uses === 0) void client.then(({ close }) => close()).catch(() => {});
};

export const reconnectPauseMs = 200;
