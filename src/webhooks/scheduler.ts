/**
 * Sends the events to the webhooks. The log of events is the outbox: each webhook has a position in it, and a lane
 * (`lane.ts`) that reads from there. A message takes one path: log → claim → sign → POST → outcome → record.
 *
 * One loop runs in turns. A turn records the outcomes of all lanes in one commit, and then asks the lanes one after another
 * for what may be sent now, within their shares of the attempts. Then the loop sleeps until something wakes it up: an attempt
 * that has ended, a change by this process, or the poll, which finds what has become due and what other processes have written.
 *
 * A delivery is claimed in memory alone, and is in the store once its first attempt has ended. After a crash all that was in
 * flight is sent again, under the same `webhook-id`: every event is sent at least once. A delivery keeps its place in flight
 * until its outcome is on the disk, so nothing is sent that could not be recorded.
 */
import { setImmediate } from 'node:timers/promises';
import { type Clock, createClock } from '../base/time.ts';
import { type Delivery, type Outcome, stateOf } from '../domain/delivery.ts';
import { eventIdOf } from '../domain/event.ts';
import { type Log, logFailure } from '../log.ts';
import type { DeliveryStore, NewEvents, Store } from '../store/store.ts';
import type { Post } from './attempt.ts';
import { createLane, type Lane, type ReadLog, readMax } from './lane.ts';
import { toMessage } from './message.ts';

export interface SchedulerOptions {
  readonly store: Pick<Store, 'webhooks' | 'deliveries'>;
  readonly post: Post;
  readonly log: Log;
  readonly clock?: Clock;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** How often to look for what is due, and for what other processes have written. */
  readonly pollMs?: number;
}

export interface Scheduler {
  /**
   * Starts no attempt any more, waits for those under way, but no longer than this, and resolves when all is recorded; or,
   * when the store cannot write, once it has tried.
   */
  stop(graceMs: number): Promise<void>;
}

/** How many attempts the lanes share, and how many there may be at once, but for the first one of each lane. */
export const sharedMax = 64;
export const attemptsMax = 128;

export const startScheduler = ({
  store: { webhooks, deliveries },
  post,
  log,
  clock = createClock(),
  random = Math.random,
  pollMs = 1000,
}: SchedulerOptions): Scheduler => {
  /** By the ids of the webhooks. */
  const lanes = new Map<string, Lane>();
  const cutOff = new AbortController();
  let wakeUp = Promise.withResolvers<void>();
  let underWay = 0;
  let turn = 0;
  /** Another process may change the webhooks at any time, so each poll counts as a change. */
  let mayHaveChanged = true;
  let isStopping = false;

  const wake = (): void => wakeUp.resolve();

  const run = async (): Promise<void> => {
    const poll = setInterval(() => {
      mayHaveChanged = true;
      wake();
    }, pollMs);
    for (;;) {
      const isLast = isStopping && underWay === 0;
      const isRecorded = await succeeds(record);
      if (isLast) break;
      // Not once it stops: what a lane gave out then would never be sent, and the position would pass it.
      if (isRecorded && !isStopping) await succeeds(send);
      await wakeUp.promise;
      wakeUp = Promise.withResolvers();
      // Answers are written and requests are read, before the database is asked again.
      await setImmediate();
    }
    clearInterval(poll);
    const attempts = [...lanes.values()].flatMap((lane) => lane.progress().changes).length;
    if (attempts > 0) log.error({ attempts }, 'stopped before all attempts were written down');
  };

  /** Whether the step succeeds. One that fails is logged, and the next turn tries it again. */
  const succeeds = async (step: () => Promise<void>): Promise<boolean> => {
    try {
      await step();
      return true;
    } catch (error) {
      mayHaveChanged = true;
      logFailure(log, error);
      return false;
    }
  };

  /**
   * Records what has finished, in one commit, and how far the lanes have come; that alone only when webhooks may have
   * changed, as at a poll, so that the log costs no write for events that nobody wants.
   */
  const record = async (): Promise<void> => {
    const all = [...lanes].map(([id, lane]) => ({ id, lane, progress: lane.progress() }));
    const changes = all.flatMap(({ progress }) => progress.changes);
    const moved = all.flatMap(({ id, progress: { position } }) => (position === undefined ? [] : [{ id, position }]));
    if (changes.length === 0 && (moved.length === 0 || !mayHaveChanged)) return;
    await deliveries.record(changes, new Map(moved.map(({ id, position }) => [id, position])));
    for (const { lane, progress } of all) lane.recorded(progress);
    // A failure may have disabled its webhook.
    mayHaveChanged ||= changes.some(({ after }) => stateOf(after) !== 'delivered');
  };

  /** Starts an attempt at all that may be sent now. An error in one lane is logged, and leaves the others alone. */
  const send = async (): Promise<void> => {
    if (mayHaveChanged) await refresh();
    const readLog = readOnce(deliveries);
    const all = [...lanes.values()];
    // Another one is first each time, so that none is always last when there is little room.
    turn = (turn + 1) % Math.max(1, all.length);
    for (const lane of [...all.slice(turn), ...all.slice(0, turn)]) {
      const share = shareBeside(all.filter((other) => other !== lane).map((other) => other.inFlight()));
      try {
        if (await lane.load(share, readLog)) wake();
      } catch (error) {
        logFailure(log, error, { webhookId: lane.webhook().id });
      }
      for (const delivery of lane.take(share)) void attempt(lane, delivery);
    }
  };

  /** Opens a lane for each enabled webhook, and closes the others. */
  const refresh = async (): Promise<void> => {
    mayHaveChanged = false;
    const all = await webhooks.list();
    const enabled = new Map(all.filter(({ disabled }) => !disabled).map((webhook) => [webhook.id, webhook]));
    for (const [id, webhook] of enabled) {
      const lane = lanes.get(id) ?? createLane(webhook, { deliveries, clock, random });
      lane.open(webhook);
      lanes.set(id, lane);
    }
    for (const [id, lane] of lanes) {
      if (enabled.has(id)) continue;
      const reason = all.find((webhook) => webhook.id === id)?.disabled?.reason;
      if (lane.close() && reason) log.warn({ webhookId: id, reason }, 'webhook disabled');
      if (lane.inFlight() === 0) lanes.delete(id);
    }
  };

  const attempt = async (lane: Lane, delivery: Delivery): Promise<void> => {
    underWay += 1;
    const message = () => toMessage(lane.webhook(), delivery.event, new Date());
    const outcome = await Promise.try(() => post(message(), cutOff.signal)).catch(asFailure);
    underWay -= 1;
    wake();
    // Cut off by the stop: it is never finished, so the position stays before it and the next start sends it again.
    if (outcome) logAttempt(log, lane.finish(delivery, outcome), outcome);
  };

  const asFailure = (error: unknown): Outcome | undefined => {
    if (cutOff.signal.aborted) return undefined;
    logFailure(log, error);
    return { attempt: { at: new Date().toISOString(), durationMs: 0, failure: 'connection' } };
  };

  const running = run();
  const unsubscribe = deliveries.onNew((what) => {
    mayHaveChanged ||= what === 'webhook';
    wake();
  });
  return {
    stop: async (graceMs) => {
      unsubscribe();
      isStopping = true;
      wake();
      await Promise.race([running, Bun.sleep(graceMs)]);
      cutOff.abort();
      await running;
    },
  };
};

/** How many attempts a lane may have when the others have so many: the busy lanes share evenly, and each may have one. */
export const shareBeside = (others: readonly number[]): number => {
  const busy = others.filter((count) => count > 0);
  const left = attemptsMax - busy.reduce((sum, count) => sum + count, 0);
  return Math.max(1, Math.min(Math.floor(sharedMax / (busy.length + 1)), left));
};

/** Reads each piece of the log once, however many lanes ask for it. */
const readOnce = ({ readLog }: DeliveryStore): ReadLog => {
  const pages = new Map<bigint, Promise<NewEvents>>();
  return (after) => {
    const page = pages.get(after) ?? readLog(after, readMax);
    pages.set(after, page);
    return page;
  };
};

const logAttempt = (log: Log, delivery: Delivery, { attempt }: Outcome): void => {
  const { webhookId, event, attemptsInRound, nextAttemptAt } = delivery;
  const { status, failure, durationMs } = attempt;
  log.info(
    { webhookId, deliveryId: eventIdOf(event), try: attemptsInRound, status, failure, durationMs, nextAttemptAt },
    'delivery',
  );
};
