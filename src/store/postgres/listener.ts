import { SQL } from 'bun';
import type { Address } from './address.ts';
import { connectMsMax, firstOf, hasOwnSessions } from './connect.ts';
import { withDeadline } from './deadline.ts';

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
