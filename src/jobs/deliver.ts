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
import { afterAttempt, askedFor, type Delivery, delayMsMax, type Outcome } from '../domain/delivery.ts';
import { AppError } from '../domain/error.ts';
import { eventIdOf } from '../domain/event.ts';
import type { WebhookRecord } from '../domain/webhook.ts';
import type { Log } from '../log.ts';
import type { DeliveryChange, Store } from '../store/store.ts';
import { createBell } from './bell.ts';
import { type Clock, createClock } from './clock.ts';
import { begin, createLane, end, type Lane, learn, positionAfter } from './lane.ts';
import { toRequest } from './message.ts';
import type { Send } from './send.ts';

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
  /** Begins no attempt any more, waits for those under way, but no longer than this, and resolves when all is written down. */
  stop(graceMs: number): Promise<void>;
}

/** How many attempts there may be at once, beside the one that each lane may always have. */
export const sharedMax = 64;

/** How many events a lane reads at a time. */
const readMax = 100;

interface Ended {
  readonly lane: Lane;
  readonly change: DeliveryChange;
}

export const startDelivering = ({
  store: { webhooks, deliveries },
  send,
  log,
  clock = createClock(),
  random = Math.random,
  pollMs = 1000,
}: DeliverOptions): Deliverer => {
  const lanes = new Map<string, Lane>();
  const bell = createBell();
  const stopped = new AbortController();
  let ended: Ended[] = [];
  let underWay = 0;
  let turn = 0;
  let recordedAtMs = 0;
  let isStopping = false;

  const hasRoom = ({ inFlight, window }: Lane): boolean =>
    inFlight.size === 0 || (inFlight.size < window && underWay < sharedMax);

  const attempt = async (webhook: WebhookRecord, lane: Lane, delivery: Delivery, isNew: boolean): Promise<void> => {
    begin(lane, delivery, isNew);
    underWay += 1;
    try {
      const outcome = await send(toRequest(webhook, delivery.event, new Date()), stopped.signal).catch(asFailure);
      // Cut off by the stop: it keeps its place, so that the position stays before it and the next start sends it.
      if (!outcome) return;
      const nowMs = clock.nowMs();
      learn(lane, outcome, nowMs);
      const after = afterAttempt(delivery, outcome, { nowMs, random: random() });
      ended.push({ lane, change: { before: delivery, after } });
      logAttempt(log, after, outcome);
    } finally {
      underWay -= 1;
      bell.ring();
    }
  };

  const asFailure = (error: unknown): Outcome | undefined => {
    if (stopped.signal.aborted) return undefined;
    log.error({ err: error }, 'defect');
    return { attempt: { at: new Date().toISOString(), durationMs: 0, failure: 'connection' } };
  };

  /** Writes down what has ended, and how far the lanes have come. What cannot be written now stays, and keeps its place. */
  const record = async (): Promise<void> => {
    const batch = ended;
    const isPoll = performance.now() - recordedAtMs >= pollMs;
    if (batch.length === 0 && !isPoll) return;
    const endedIn = Map.groupBy(batch, ({ lane }) => lane);
    const moved = [...lanes].flatMap(([id, lane]) => {
      const sequences = endedIn.get(lane)?.map(({ change }) => change.before.event.sequence);
      const position = positionAfter(lane, new Set(sequences));
      return position > lane.recorded ? [{ id, lane, position }] : [];
    });
    if (batch.length > 0 || moved.length > 0) {
      const positions = new Map(moved.map(({ id, position }) => [id, position]));
      await deliveries.record(
        batch.map(({ change }) => change),
        positions,
      );
    }
    recordedAtMs = performance.now();
    ended = ended.slice(batch.length);
    for (const { lane, change } of batch) end(lane, change.before);
    for (const { lane, position } of moved) lane.recorded = position;
  };

  const fill = async (): Promise<void> => {
    const all = await webhooks.list();
    const enabled = all.filter(({ disabled }) => !disabled);
    for (const id of lanes.keys()) {
      if (enabled.some((webhook) => webhook.id === id)) continue;
      lanes.delete(id);
      const reason = all.find((webhook) => webhook.id === id)?.disabled?.reason;
      if (reason) log.warn({ webhookId: id, reason }, 'webhook disabled');
    }
    turn = (turn + 1) % Math.max(1, enabled.length);
    for (const webhook of [...enabled.slice(turn), ...enabled.slice(0, turn)]) await fillLane(webhook);
  };

  const laneOf = ({ id, position }: WebhookRecord): Lane => {
    const lane = lanes.get(id) ?? createLane(position);
    lanes.set(id, lane);
    return lane;
  };

  const fillLane = async (webhook: WebhookRecord): Promise<void> => {
    const lane = laneOf(webhook);
    const nowMs = clock.nowMs();
    const isPaused = nowMs < lane.pausedUntilMs;
    if (!hasRoom(lane)) return;
    const due = await deliveries.takeDue(webhook.id, {
      now: new Date(nowMs).toISOString(),
      latest: new Date(nowMs + delayMsMax).toISOString(),
      limit: lane.inFlight.size + lane.window,
    });
    for (const delivery of due) {
      const isFree = !lane.inFlight.has(delivery.event.sequence) && hasRoom(lane);
      if (isFree && (!isPaused || delivery.nextAttemptAt === askedFor)) void attempt(webhook, lane, delivery, false);
    }
    if (!isPaused && lane.waiting.length === 0 && hasRoom(lane)) await readOn(webhook, lane);
    while (!isPaused && hasRoom(lane)) {
      const event = lane.waiting.shift();
      if (!event) break;
      void attempt(webhook, lane, { webhookId: webhook.id, event, attempts: [], tries: 0 }, true);
    }
  };

  /** Reads a piece of the log; for the next one the loop comes round again, and other work in between. */
  const readOn = async (webhook: WebhookRecord, lane: Lane): Promise<void> => {
    const { events, readTo, hasMore } = await deliveries.takeNew(webhook, lane.readTo, readMax);
    lane.waiting.push(...events);
    lane.readTo = readTo;
    if (hasMore) bell.ring();
  };

  const run = async (): Promise<void> => {
    while (!(isStopping && underWay === 0 && ended.length === 0)) {
      try {
        await record();
        if (!isStopping) await fill();
      } catch (error) {
        log.error({ err: error }, error instanceof AppError ? error.message : 'defect');
        if (isStopping && underWay === 0) return;
        await Bun.sleep(pollMs);
      }
      await bell.wait(pollMs);
      // Answers go out and requests come in, before the database is asked again.
      await setImmediate();
    }
  };

  const running = run();
  const silence = deliveries.onNew(bell.ring);
  return {
    stop: async (graceMs) => {
      silence();
      isStopping = true;
      bell.ring();
      await Promise.race([running, Bun.sleep(graceMs)]);
      stopped.abort();
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
