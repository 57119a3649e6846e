import { type ReservedSQL, SQL } from 'bun';
import { drizzle } from 'drizzle-orm/bun-sql';
import type { Address } from './address.ts';
import { hasState, StandbyError, withDeadline } from './errors.ts';
import { type Session, setUp } from './session.ts';

/**
 * Connects to the server that accepts writes, and sets up the session. `prepare` may refuse the database. All servers are tried at the
 * same time, since a server that is off does not answer. Rejects with the error of a server that has answered, if there is one.
 */
export const connect = (
  addresses: readonly Address[],
  prepare: (session: Session) => Promise<void>,
): Promise<Session> => firstOf(addresses.map((address) => connectTo(address, prepare)));

/** The first connection that succeeds. The others are closed. */
const firstOf = async <Connected extends { close(): void }>(
  attempts: readonly Promise<Connected>[],
): Promise<Connected> => {
  const first = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors.find((error) => error instanceof StandbyError || hasState(error, /./)) ?? errors[0];
  });
  for (const attempt of attempts)
    attempt.then(
      (other) => other !== first && other.close(),
      () => {},
    );
  return first;
};

/** Whether a transaction pooler is at an address. It is detected once, since that takes a second connection. */
const pooled = new WeakMap<Address, boolean>();

const connectTo = async (address: Address, prepare: (session: Session) => Promise<void>): Promise<Session> => {
  const known = pooled.get(address);
  const ended = new AbortController();
  const pool = new SQL({
    ...address,
    adapter: 'postgres',
    max: 1,
    bigint: true,
    idleTimeout: 0,
    maxLifetime: 0,
    // A named statement belongs to a server session.
    prepare: known !== true,
    onclose: () => ended.abort(),
  });
  const close = (): void => {
    ended.abort();
    void pool.close({ timeout: 0 }).catch(() => {});
  };
  const open = async (): Promise<[ReservedSQL, boolean]> => {
    const sql = await pool.reserve();
    return [sql, await setUp(sql, address, known)];
  };
  try {
    const [sql, isPooled] = await withDeadline(open(), performance.now() + connectMsMax(address));
    pooled.set(address, isPooled);
    if (isPooled && !known) {
      close();
      return await connectTo(address, prepare);
    }
    const session: Session = {
      sql,
      db: drizzle({ client: sql }),
      isPooled,
      ended: ended.signal,
      close,
      [Symbol.dispose]: close,
      suspectPooler: () => void pooled.set(address, true),
    };
    await prepare(session);
    return session;
  } catch (error) {
    close();
    throw error;
  }
};

/** How long an attempt to connect may take: two seconds, unless the URL says otherwise. */
const connectMsMax = ({ connectionTimeout = 2 }: Address): number => connectionTimeout * 1000;

/** A connection that listens. Bun sends no queries on it. */
export interface Listener {
  /** The time of the connection, by the monotonic clock. */
  readonly sinceMs: number;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Resolves once `onNotification` will be called for each notification on this channel. */
export type Listen = (channel: string, onNotification: (payload: string) => void) => Promise<Listener>;

/** Listens on the server that accepts writes: a standby refuses LISTEN. A pooler would give the session to other clients. */
export const createListen =
  (addresses: readonly Address[]): Listen =>
  (channel, onNotification) =>
    firstOf(
      addresses
        .filter((address) => pooled.get(address) === false)
        .map((address) => listenAt(address, channel, onNotification)),
    );

const listenAt = async (
  address: Address,
  channel: string,
  onNotification: (payload: string) => void,
): Promise<Listener> => {
  const sinceMs = performance.now();
  const ended = Promise.withResolvers<void>();
  const close = (): void => {
    ended.resolve();
    // Bun would reconnect, only to this server, after pauses of up to half a minute.
    void pool.close({ timeout: 0 }).catch(() => {});
  };
  const pool = new SQL({ ...address, adapter: 'postgres', max: 1, onclose: close });
  try {
    await withDeadline(pool.listen(channel, onNotification), sinceMs + connectMsMax(address));
  } catch (error) {
    close();
    throw error;
  }
  return { sinceMs, ended: ended.promise, close };
};
