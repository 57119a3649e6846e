/**
 * A session that is replaced when it is lost. A connection has no deadlines, and a frozen server never answers, so every use has a
 * deadline here. When it passes, the connection is closed. No query is ever cancelled: when the wait of a write for a standby is
 * cancelled, PostgreSQL reports the write as committed.
 */
import { setTimeout } from 'node:timers/promises';
import { AppError, storeStopped } from '../../base/app-error.ts';
import { OperatorError } from '../../base/error.ts';
import { DeadlineExceeded, isDamage, isUseless, showsPooler, withDeadline } from './errors.ts';
import type { Session } from './session.ts';

export type ReconnectingSession = ReturnType<typeof createReconnectingSession>;

/**
 * `connect` is called for each new session, and again after a pause until it succeeds. `onDoubt` is called with a time when the
 * sessions made before it may be unusable, since the server has not answered in time.
 */
export const createReconnectingSession = (
  connect: () => Promise<Session>,
  onDoubt: (beforeMs: number) => void,
  { isKept = false, onDamage = () => {} }: Options = {},
) => {
  let current: Connection | undefined;
  let isClosed = false;

  const connectUntilDone = async (): Promise<Session> => {
    while (!isClosed) {
      try {
        const session = await connect();
        if (!isClosed) return session;
        session.close();
      } catch {
        // The store reports why.
      }
      await setTimeout(reconnectPauseMs);
    }
    throw new AppError(storeStopped);
  };

  const get = (): Connection => {
    if (current) return current;
    const connection: Connection = {
      session: connectUntilDone(),
      connectedAtMs: Number.POSITIVE_INFINITY,
      uses: 0,
      isRetired: false,
    };
    current = connection;
    connection.session.then(
      ({ ended }) => {
        connection.connectedAtMs = performance.now();
        // A server that stops may close it together with the last response of the set-up.
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
    usesInProgress: () => current?.uses ?? 0,
    /** Resolves to the result of `use`. Rejects with DeadlineExceeded if it takes until `endsAtMs`, by the monotonic clock. */
    run: async <Result>(use: (session: Session) => Promise<Result>, endsAtMs: number): Promise<Result> => {
      const sinceMs = performance.now();
      const connection = get();
      connection.uses += 1;
      try {
        const session = await withDeadline(connection.session, endsAtMs);
        try {
          return await withDeadline(use(session), endsAtMs);
        } catch (error) {
          if (isUseless(error)) session.close();
          if (isDamage(error)) onDamage();
          if (error instanceof DeadlineExceeded) onDoubt(Math.max(sinceMs, performance.now() - freshMs));
          throw showsPooler(error) ? poolerFound(error) : error;
        }
      } finally {
        connection.uses -= 1;
        if (connection.isRetired) closeUnused(connection);
      }
    },
    /** Retires a session that was made before this time: it gets no new uses, and is closed when its current uses have ended. */
    retire: (beforeMs: number): void => {
      const connection = current;
      if (!connection || connection.connectedAtMs > beforeMs) return;
      connection.isRetired = true;
      forget(connection);
      closeUnused(connection);
    },
    close: (): void => {
      isClosed = true;
      if (current) closeSession(current);
    },
  };
};

interface Options {
  /** Whether a lost session is replaced immediately, and not when it is needed. Default: false. */
  readonly isKept?: boolean;
  /** Called when the server reports damage. */
  readonly onDamage?: () => void;
}

const poolerFound = (cause: unknown): OperatorError =>
  new OperatorError('A pooler gives the server session to other clients. Add pooler=transaction to the URL.', {
    cause,
  });

/** A session, or the attempts to make it. */
interface Connection {
  readonly session: Promise<Session>;
  /** By the monotonic clock. */
  connectedAtMs: number;
  uses: number;
  isRetired: boolean;
}

const closeUnused = (connection: Connection): void => {
  if (connection.uses === 0) closeSession(connection);
};

const closeSession = ({ session }: Connection): void => {
  void session.then(({ close }) => close()).catch(() => {});
};

export const reconnectPauseMs = 200;
/** When a request times out, a connection that was made after its begin and this recently is kept: the server has just answered on it. */
const freshMs = 1000;
