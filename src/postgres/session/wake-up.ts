/**
 * Wake-ups of processes that share a database, by LISTEN and NOTIFY. They only shorten the wait for the next poll: a lost one
 * delays work and loses none, so failures here are not reported. A notification is sent after the commit, in a separate
 * transaction, since a NOTIFY in the same transaction would serialize the commits of the whole server.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Topic } from '../../storage/topic.ts';
import type { Listen, Listener } from './connect.ts';
import { withDeadline } from './errors.ts';
import { reconnectPauseMs } from './reconnecting-session.ts';
import type { Session } from './session.ts';

export const createWakeUps = (
  read: <Result>(query: (session: Session) => Promise<Result>) => Promise<Result>,
  listen: Listen,
) => {
  const subscribers = new Set<(topic: Topic) => void>();
  /** Identifies the notifications of this process. */
  const ownId = crypto.randomUUID();
  const unsent = new Set<Topic>();
  const heard = new Set<Topic>();
  let sending: Promise<void> | undefined;
  let isListening = false;
  /** Whether notifications of all processes arrive. */
  let isHearing = false;
  let version = 0n;
  let versionEndsAtMs = 0;
  let listener: Listener | undefined;
  let isClosed = false;

  const wake = (topic: Topic): void => {
    for (const subscriber of subscribers) subscriber(topic);
  };

  /** Sends one notification at a time, for all changes since the previous one. */
  const send = async (): Promise<void> => {
    // The changes of this turn, and the responses to their requests, have precedence.
    await setImmediate();
    while (unsent.size > 0) {
      const payload = [ownId, ...unsent].join(' ');
      unsent.clear();
      await read((session) => notify(session, payload)).catch(() => {});
      if (!isClosed) await setTimeout(sendPauseMs);
    }
    sending = undefined;
  };

  /** One wake-up for all notifications of a turn of the event loop, since any role of the database can send a flood of them. */
  const wakeHeard = async (): Promise<void> => {
    await setImmediate();
    const all = [...heard];
    heard.clear();
    for (const topic of all) wake(topic);
  };

  const hear = (payload: string): void => {
    if (payload === ownId) {
      isHearing = true;
      versionEndsAtMs = 0;
    }
    for (const topic of topics) {
      if (heard.has(topic) || !payload.includes(` ${topic}`) || payload.startsWith(ownId)) continue;
      if (heard.size === 0) void wakeHeard();
      heard.add(topic);
    }
  };

  /** Some servers accept LISTEN and send nothing, and a node of Citus sends nothing to the listeners of another one. */
  const testHearing = (): Promise<unknown> =>
    read(async (session) => session.isCitus || notify(session, ownId)).catch(() => {});

  /** Listens until the store is closed. Behind a transaction pooler and on a standby it returns immediately. */
  const keepListening = async (): Promise<void> => {
    while (!isClosed) {
      try {
        const channel = await read(readChannel);
        if (channel === undefined) return;
        const isAgain = listener !== undefined;
        listener = await listen(channel, hear);
        // Notifications sent meanwhile are lost.
        if (isAgain) for (const topic of topics) wake(topic);
        if (isClosed) listener.close();
        await testHearing();
        await listener.ended;
      } catch {
        // The store reports why.
      }
      isHearing = false;
      await setTimeout(reconnectPauseMs);
    }
  };

  return {
    /** Calls all subscribers of this process, and soon those of all other processes. It is called after the commit. */
    announce: (topic: Topic): void => {
      wake(topic);
      unsent.add(topic);
      sending ??= send();
    },
    /** The first subscription opens a connection that listens. Returns a function that ends the subscription. */
    subscribe: (subscriber: (topic: Topic) => void): (() => void) => {
      subscribers.add(subscriber);
      if (!isListening) void keepListening();
      isListening = true;
      return () => void subscribers.delete(subscriber);
    },
    /** Implements `Store.dataVersion`. While no notification can be heard, each call has another result. */
    dataVersion: async (): Promise<bigint> => {
      const nowMs = performance.now();
      if (!isHearing || nowMs >= versionEndsAtMs) {
        version += 1n;
        versionEndsAtMs = nowMs + lostMsMax;
      }
      return version;
    },
    /** Replaces a listening connection that was made before this time. */
    retire: (beforeMs: number): void => {
      if (listener && listener.sinceMs <= beforeMs) listener.close();
    },
    /** Resolves once the last notification is sent, or after a short time. */
    close: async (): Promise<void> => {
      isClosed = true;
      listener?.close();
      if (sending) await withDeadline(sending, performance.now() + closeMsMax).catch(() => {});
    },
  };
};

const topics: readonly Topic[] = ['event', 'webhook'];

/** A schema has one store and one channel. Undefined where no session can listen: behind a transaction pooler, and on a standby. */
const readChannel = async ({ query, isPooled }: Session): Promise<string | undefined> => {
  if (isPooled) return undefined;
  const [row] = await query<{ channel: string }>(`
    SELECT '${channelPrefix}' || oid AS channel FROM pg_namespace
    WHERE nspname = current_schema() AND NOT pg_is_in_recovery()`);
  return row?.channel;
};

/** It stores no data, so its commit waits for neither a sync nor a standby. All commits of the server with a NOTIFY share a lock. */
const notify = ({ query }: Session, payload: string): Promise<unknown> =>
  query(
    `SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '${lockMsMax}', true),
      pg_notify('${channelPrefix}' || oid, $1)
    FROM pg_namespace WHERE nspname = current_schema()`,
    [payload],
  );

const channelPrefix = 'plant_store_';

/** The time limit for that lock, since a read on the same connection waits too. */
const lockMsMax = 100;

/** The interval between two notifications, so that they cost little when there are many changes. */
export const sendPauseMs = 10;

/** A lost notification delays work by this time. */
const lostMsMax = 5000;

/** The time that a stop waits for the last notification. */
const closeMsMax = 500;
