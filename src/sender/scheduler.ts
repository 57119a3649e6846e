/**
 * Sends the events to the webhooks whose leases this process has (`lanes.ts`). The log of events is the outbox: each webhook has
 * a position in it, and a lane (`lane.ts`) that reads from this position. A message takes one path: log → claim → sign → POST → outcome → record.
 *
 * Each iteration of a loop records the outcomes of all lanes in one commit, and then claims deliveries from each lane within its share
 * of the attempts. An ended attempt, a write, and a poll for due deliveries and other processes each start one.
 *
 * A delivery is claimed in memory, and stored after its first attempt. It stays in flight until its outcome is on disk, so the
 * service stops sending if it cannot record. After a crash or a lost lease, the next owner sends all deliveries in flight again
 * with the same `webhook-id`: every event is sent at least once.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { checkMs, repeat } from '../base/repeat.ts';
import { type Clock, createClock } from '../base/time.ts';
import { type Attempt, type Delivery, type Outcome, stateOf } from '../deliveries/delivery.ts';
import { eventIdOf } from '../events/event.ts';
import { type Log, logFailure } from '../log.ts';
import type { Store } from '../store/store.ts';
import { createMetrics, type Metrics, outcomeLabelOf } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { WebhookRecord } from '../webhooks/webhook.ts';
import type { PostMessage } from './attempt.ts';
import type { Lane } from './lane.ts';
import { createLanes } from './lanes.ts';
import { createLogPages } from './log-pages.ts';
import { createToMessage } from './message.ts';
import { createShares } from './share.ts';

export interface SchedulerOptions {
  readonly store: Pick<Store, 'events' | 'webhooks' | 'deliveries' | 'leases' | 'onNew' | 'dataVersion'>;
  readonly post: PostMessage;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly tracer?: Tracer | undefined;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly pollMs?: number;
  /** Selects the webhooks to send to. Default: all. */
  readonly isTarget?: (webhook: WebhookRecord) => boolean;
}

export type Scheduler = ReturnType<typeof startScheduler>;

/** How long a stop waits for the database to release leases. They expire in any case. */
const leaveMsMax = 2000;
/** How long a stop waits for aborted attempts to end. */
const abortMsMax = 1000;
/** How long a stop then waits for the last iteration. A transaction of a database that responds ends within this time. */
const lastMsMax = 5000;

export const startScheduler = ({
  store,
  post,
  log,
  metrics = createMetrics(),
  tracer,
  clock = createClock(),
  random = Math.random,
  pollMs = checkMs,
  isTarget = () => true,
}: SchedulerOptions) => {
  const lanes = createLanes({ store, deliveries: store.deliveries, clock, random, log, isTarget });
  const logPages = createLogPages(store.events);
  const toMessage = createToMessage();
  const cutOff = new AbortController();
  let wakeUp = Promise.withResolvers<void>();
  let inProgress = 0;
  let firstLane = 0;
  /** Whether webhooks, leases or due deliveries may have changed. */
  let mayHaveChanged = true;
  let dataVersion: bigint | undefined;
  let isStopping = false;
  /** Whether the stop no longer waits for attempts. */
  let isOver = false;

  const wake = (): void => wakeUp.resolve();

  const run = async (): Promise<void> => {
    for (;;) {
      const isLast = isStopping && (isOver || inProgress === 0);
      const isRecorded = await succeeds(record);
      if (isStopping) await Promise.race([succeeds(() => lanes.leave(isLast)), sleep(leaveMsMax)]);
      if (isLast) break;
      // No deliveries are claimed after the stop: they would not be sent, but the position would pass them.
      if (isRecorded && !isStopping) await succeeds(send);
      await wakeUp.promise;
      wakeUp = Promise.withResolvers();
      // Lets requests run first.
      await setImmediate();
    }
    const attempts = lanes.all().flatMap(({ lane }) => lane.progress().changes).length;
    if (attempts > 0) log.warn({ attempts }, 'stopped before all attempts were recorded');
  };

  /** Whether the step succeeds. The next iteration repeats a failed step. */
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
   * Records the finished deliveries and the new positions in one commit. Positions without deliveries are recorded only if
   * webhooks may have changed, as at a poll, so events without subscribers cost no write.
   */
  const record = async (): Promise<void> => {
    const all = lanes.all().map((one) => ({ ...one, id: one.lane.webhook().id, progress: one.lane.progress() }));
    const changes = all.flatMap(({ progress }) => progress.changes);
    const positions = new Map<string, bigint>();
    for (const { id, progress } of all) if (progress.position !== undefined) positions.set(id, progress.position);
    if (changes.length === 0 && (positions.size === 0 || !mayHaveChanged)) return;
    await store.deliveries.record(changes, positions, new Map(all.map(({ id, epoch }) => [id, epoch])));
    for (const { lane, progress } of all) lane.recorded(progress);
    // A failed attempt may have disabled its webhook.
    mayHaveChanged ||= changes.some(({ after }) => stateOf(after) !== 'delivered');
  };

  /** Starts attempts up to the limits. An error in one lane is logged, and the others continue. */
  const send = async (): Promise<void> => {
    logPages.drop(mayHaveChanged ? 'all' : 'end');
    if (mayHaveChanged) {
      mayHaveChanged = false;
      await lanes.refresh();
      mayHaveChanged ||= lanes.hasIdle();
      if (mayHaveChanged) wake();
    }
    const all = lanes.all();
    // Each iteration begins with a different lane, so that no lane is always last when the limit is reached.
    firstLane = (firstLane + 1) % Math.max(1, all.length);
    const inTurn = [...all.slice(firstLane), ...all.slice(0, firstLane)];
    // All lanes read before one claims, so that its share is by all that are busy.
    const before = createShares(all.map(({ lane }) => lane));
    await Promise.all(all.map(({ lane }) => load(lane, before.of(lane))));
    if (isStopping) return;
    const shares = createShares(all.map(({ lane }) => lane));
    for (const { lane, isValid } of inTurn) {
      // This process may have been paused, and another one may own the lease now.
      if (!isValid()) continue;
      for (const delivery of lane.take(shares.of(lane))) void attempt(lane, delivery);
      shares.update(lane);
    }
  };

  const load = async (lane: Lane, share: number): Promise<void> => {
    try {
      if (await lane.load(share, logPages.read)) wake();
    } catch (error) {
      logFailure(log, error, { webhookId: lane.webhook().id });
    }
  };

  const attempt = async (lane: Lane, delivery: Delivery): Promise<void> => {
    inProgress += 1;
    const { event } = delivery;
    const span = tracer?.startAttempt(lane.webhook(), delivery);
    let id: string | undefined;
    let outcome: Outcome | undefined;
    try {
      const message = toMessage(lane.webhook(), event, new Date(), span?.traceparent);
      id = message.id;
      outcome = await post(message, cutOff.signal);
    } catch (error) {
      if (!cutOff.signal.aborted) {
        logFailure(log, error);
        outcome = { attempt: { at: new Date().toISOString(), durationMs: 0, failure: 'connection' } };
      }
    }
    span?.end(outcome?.attempt);
    inProgress -= 1;
    wake();
    // An attempt that the stop aborted is never finished: the position stays before it, and the next owner sends it again.
    if (outcome) report(lane.finish(delivery, outcome), outcome.attempt, id ?? eventIdOf(event));
  };

  /** Logs and counts an attempt. `after` is the delivery after it. */
  const report = (after: Delivery, attempt: Attempt, deliveryId: string): void => {
    metrics.attempts.add(1, { outcome: outcomeLabelOf(attempt) });
    metrics.attemptDuration.observe(attempt.durationMs / 1000);
    log.delivery(after, attempt, deliveryId);
  };

  metrics.onScrape(() => metrics.leases.set(lanes.all().filter(({ isValid }) => isValid()).length));
  /** Another process can change the webhooks at any time. It takes over those of a stopped one within a second. */
  const poll = async (): Promise<void> => {
    const before = dataVersion;
    dataVersion = await store.dataVersion().catch(() => undefined);
    mayHaveChanged ||= dataVersion === undefined || dataVersion !== before || !lanes.isIdle();
    if (mayHaveChanged) wake();
  };
  const stopPolling = repeat(() => void poll(), pollMs);
  const running = run();
  const unsubscribe = store.onNew((what) => {
    mayHaveChanged ||= what === 'webhook';
    wake();
  });
  return {
    /**
     * Starts no more attempts, waits at most `graceMs` for those in progress, and tries to record the outcomes. Each wait is limited, so
     * neither an attempt that does not end nor the store can prevent a stop.
     */
    stop: async (graceMs: number): Promise<void> => {
      unsubscribe();
      isStopping = true;
      wake();
      await Promise.race([running, sleep(graceMs)]);
      cutOff.abort();
      await Promise.race([running, sleep(abortMsMax)]);
      isOver = true;
      wake();
      await Promise.race([running, sleep(lastMsMax)]);
      stopPolling();
    },
  };
};
