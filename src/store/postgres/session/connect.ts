import { type ReservedSQL, SQL } from 'bun';
import { drizzle } from 'drizzle-orm/bun-sql';
import type { Address } from './address.ts';
import { hasState, StandbyError, withDeadline } from './errors.ts';
import { type Client, type SessionKind, setUp } from './session.ts';

/**
 * Connects to the server that accepts writes, and sets up the session. `prepare` may refuse the database. All servers are tried at the
 * same time, since a server that is off does not answer. Rejects with the error of a server that has answered, if there is one.
 */
export const connect = (addresses: readonly Address[], prepare: (client: Client) => Promise<void>): Promise<Client> =>
  firstOf(addresses.map((address) => connectTo(address, prepare)));

/** The first connection that succeeds. The others are closed. */
const firstOf = async <Connection extends { close(): void }>(
  attempts: readonly Promise<Connection>[],
): Promise<Connection> => {
  const first = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors.find((error) => error instanceof StandbyError || hasState(error, /./)) ?? errors[0];
  });
  for (const attempt of attempts)
    attempt.then(
      (connection) => connection !== first && connection.close(),
      () => {},
    );
  return first;
};

/** The kind of session at each address. A pooler is detected once, since that takes a second connection. */
const kinds = new WeakMap<Address, SessionKind>();

const hasOwnSessions = (address: Address): boolean => kinds.get(address) === 'own';

const connectTo = async (address: Address, prepare: (client: Client) => Promise<void>): Promise<Client> => {
  const isPooled = kinds.get(address) === 'pooled';
  const ended = new AbortController();
  const pool = new SQL({
    ...address,
    adapter: 'postgres',
    max: 1,
    bigint: true,
    idleTimeout: 0,
    maxLifetime: 0,
    // A named statement belongs to a server session.
    prepare: !isPooled,
    onclose: () => ended.abort(),
  });
  const close = (): void => {
    ended.abort();
    void pool.close({ timeout: 0 }).catch(() => {});
  };
  const open = async (): Promise<[ReservedSQL, SessionKind]> => {
    const sql = await pool.reserve();
    return [sql, await setUp(sql, address, kinds.get(address))];
  };
  try {
    const [sql, kind] = await withDeadline(open(), performance.now() + connectMsMax(address));
    kinds.set(address, kind);
    if (kind === 'pooled' && !isPooled) {
      close();
      return await connectTo(address, prepare);
    }
    const suspectPooler = (): void => void kinds.set(address, 'pooled');
    const client = { sql, db: drizzle({ client: sql }), isPooled, ended: ended.signal, close, suspectPooler };
    await prepare(client);
    return client;
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
    firstOf(addresses.filter(hasOwnSessions).map((address) => listenAt(address, channel, onNotification)));

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
