import { postgres } from '#runtime/postgres/driver';
import { OperatorError } from '../../base/error.ts';
import type { PostgresAddress } from '../driver/driver.ts';
import { hasState, StandbyError, withDeadline } from './errors.ts';
import { type Session, setUp } from './session.ts';

/**
 * Connects to the server that accepts writes, and sets up the session. `prepare` may refuse the database. All servers are tried at the
 * same time, since a server that is off does not answer. Rejects with the error of a server that has answered, if there is one.
 */
export const connect = (
  addresses: readonly PostgresAddress[],
  prepare: (session: Session) => Promise<void>,
): Promise<Session> => firstOf(addresses.map((address) => connectTo(address, prepare)));

/** The first connection that succeeds. The others are closed. */
const firstOf = async <Connected extends { close(): void }>(
  attempts: readonly Promise<Connected>[],
): Promise<Connected> => {
  const first = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors.find(isAnswer) ?? errors[0];
  });
  for (const attempt of attempts)
    attempt.then(
      (other) => other !== first && other.close(),
      () => {},
    );
  return first;
};

const isAnswer = (error: unknown): boolean =>
  error instanceof StandbyError || error instanceof OperatorError || hasState(error, /./);

/** Addresses with a pooler that the URL does not name, and with the pool mode that works with every pooler. */
const withPooler = new WeakMap<PostgresAddress, PostgresAddress>();

const connectTo = async (given: PostgresAddress, prepare: (session: Session) => Promise<void>): Promise<Session> => {
  const address = withPooler.get(given) ?? given;
  const { opened, close, ended } = postgres.connect(address);
  const openSession = async (): Promise<Session> => {
    const queries = await opened;
    return { ...queries, ...(await setUp(queries, address)), ended, close, [Symbol.dispose]: close };
  };
  try {
    const session = await withDeadline(openSession(), performance.now() + connectMsMax(address));
    if (session.isPooled && address.pooler === 'none') {
      session.close();
      withPooler.set(given, { ...given, pooler: 'transaction' });
      return await connectTo(given, prepare);
    }
    await prepare(session);
    return session;
  } catch (error) {
    close();
    throw error;
  }
};

/** How long an attempt to connect may take: two seconds, unless the URL says otherwise. */
const connectMsMax = ({ connectTimeoutSeconds = 2 }: PostgresAddress): number => connectTimeoutSeconds * 1000;

export interface Listener {
  /** The time of the connection, by the monotonic clock. */
  readonly sinceMs: number;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<unknown>;
  close(): void;
}

/** Resolves once `onNotification` will be called for each notification on this channel. */
export type Listen = (channel: string, onNotification: (payload: string) => void) => Promise<Listener>;

/** Listens on the server that accepts writes: a standby refuses LISTEN. */
export const createListen =
  (addresses: readonly PostgresAddress[]): Listen =>
  (...wanted) =>
    firstOf(addresses.map((address) => listenAt(address, wanted)));

const listenAt = async (address: PostgresAddress, wanted: Parameters<Listen>): Promise<Listener> => {
  const sinceMs = performance.now();
  const { opened, close, ...connection } = postgres.listen(address, ...wanted);
  const ended = new Promise((resolve) => connection.ended.addEventListener('abort', resolve, { once: true }));
  try {
    await withDeadline(opened, sinceMs + connectMsMax(address));
  } catch (error) {
    close();
    throw error;
  }
  return { sinceMs, ended, close };
};
