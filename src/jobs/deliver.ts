/**
 * Sends what has happened to the webhooks: claim, sign, POST, and acknowledge or back off.
 *
 * The log of events is the outbox. Each webhook has a position in it, and a lane that reads on from there; a delivery is
 * written when its first attempt has ended, and again after each later one. What is claimed is claimed in memory alone: after
 * a crash whatever was under way is sent again, under the same `webhook-id`. So every event is sent at least once.
 *
 * One loop does it all: it writes down what attempts have led to, as many as there are in one commit, and then begins new
 * ones where there is room. An attempt keeps its place until its outcome is on the disk, so nothing is sent that could not
 * be written down. Each lane may always have one attempt under way, whatever the others do.
 */
import { setImmediate } from 'node:timers/promises';
import { type Clock, createClock } from '../base/clock.ts';
import { afterAttempt, type Delivery, type Outcome } from '../domain/delivery.ts';
import { eventIdOf } from '../domain/event.ts';
import type { WebhookRecord } from '../domain/webhook.ts';
import { type Log, logFailure } from '../log.ts';
import type { Store } from '../store/store.ts';
import { createBell } from './bell.ts';
import { adapt, type Lane } from './lane.ts';
import { createLanes } from './lanes.ts';
import { toRequest } from './message.ts';
import { createOutcomes } from './outcomes.ts';
import type { Send } from './send.ts';
import { createSlots } from './slots.ts';

export interface DeliverOptions {
  readonly store: Pick<Store, 'webhooks' | 'deliveries'>;
  readonly send: Send;
  readonly log: Log;
  readonly clock?: Clock;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** How often to look for what is due, and for what other processes have written. */
  readonly pollMs?: number;
}

export interface Deliverer {
  /**
   * Begins no attempt any more, waits for those under way, but no longer than this, and resolves when all is written down; or,
   * when the store cannot write, once it has tried.
   */
  stop(graceMs: number): Promise<void>;
}

export const startDelivering = ({
  store,
  send,
  log,
  clock = createClock(),
  random = Math.random,
  pollMs = 1000,
}: DeliverOptions): Deliverer => {
  const slots = createSlots();
  const outcomes = createOutcomes(store.deliveries, slots, pollMs);
  const bell = createBell();
  const cutOff = new AbortController();
  let underWay = 0;
  /** Another process may have changed the webhooks at any time, so each poll counts as a change. */
  let mayHaveChanged = true;
  let polledAtMs = 0;
  let isStopping = false;

  const attempt = async (webhook: WebhookRecord, lane: Lane, delivery: Delivery, isNew: boolean): Promise<void> => {
    slots.take(lane, delivery.event, isNew);
    underWay += 1;
    const outcome = await post(webhook, delivery).catch(asFailure);
    underWay -= 1;
    bell.ring();
    // Cut off by the stop: it keeps its place, so that the position stays before it and the next start sends it.
    if (!outcome) return;
    const nowMs = clock.nowMs();
    adapt(lane, outcome, nowMs);
    const after = afterAttempt(delivery, outcome, { nowMs, random: random() });
    outcomes.add(lane, { before: delivery, after });
    logAttempt(log, after, outcome);
  };

  const post = async (webhook: WebhookRecord, { event }: Delivery): Promise<Outcome> =>
    send(toRequest(webhook, event, new Date()), cutOff.signal);

  const asFailure = (error: unknown): Outcome | undefined => {
    if (cutOff.signal.aborted) return undefined;
    logFailure(log, error);
    return { attempt: { at: new Date().toISOString(), durationMs: 0, failure: 'connection' } };
  };

  const lanes = createLanes({
    store,
    slots,
    clock,
    log,
    goOn: bell.ring,
    begin: (webhook, lane, delivery, isNew) => void attempt(webhook, lane, delivery, isNew),
  });

  /** Writes down what has ended, and says whether it could; what cannot be written now is tried again the next time. */
  const write = async (): Promise<boolean> => {
    try {
      const hasFailed = await outcomes.record(lanes.all);
      mayHaveChanged ||= hasFailed;
      return true;
    } catch (error) {
      logFailure(log, error);
      return false;
    }
  };

  /** Begins what there is to begin; the webhooks are read again when one may have changed. */
  const begin = async (): Promise<void> => {
    const isToRefresh = mayHaveChanged;
    mayHaveChanged = false;
    try {
      if (isToRefresh) {
        polledAtMs = performance.now();
        await lanes.refresh();
      }
      await lanes.fill();
    } catch (error) {
      mayHaveChanged = true;
      logFailure(log, error);
    }
  };

  const run = async (): Promise<void> => {
    for (;;) {
      const isWritten = await write();
      if (isStopping && underWay === 0 && (outcomes.size === 0 || !isWritten)) break;
      // Not once it stops: what a lane gave out then would never be sent, and the position would pass it.
      if (isWritten && !isStopping) await begin();
      const isRung = await bell.wait(pollMs);
      mayHaveChanged ||= !isRung || performance.now() - polledAtMs >= pollMs;
      // Answers go out and requests come in, before the database is asked again.
      await setImmediate();
    }
    if (outcomes.size > 0) log.error({ attempts: outcomes.size }, 'stopped before all attempts were written down');
  };

  const running = run();
  const silence = store.deliveries.onNew((what) => {
    mayHaveChanged ||= what === 'webhook';
    bell.ring();
  });
  return {
    stop: async (graceMs) => {
      silence();
      isStopping = true;
      bell.ring();
      await Promise.race([running, Bun.sleep(graceMs)]);
      cutOff.abort();
      await running;
    },
  };
};

const logAttempt = (log: Log, delivery: Delivery, { attempt }: Outcome): void => {
  const { webhookId, event, tries, nextAttemptAt } = delivery;
  const { status, failure, durationMs } = attempt;
  log.info(
    { webhookId, deliveryId: eventIdOf(event), try: tries, status, failure, durationMs, nextAttemptAt },
    'delivery',
  );
};
