/**
 * The deliveries to one webhook. A lane reads the log of events from its webhook's position, a piece at a time, so it has few
 * events in memory however many wait; and a receiver that is slow or dead delays its own lane alone.
 *
 * A delivery is read by `load`, claimed by `take`, attempted by the caller, finished by `finish`, and released by `recorded`
 * once the store has its outcome. From the claim to the release it is in flight, and the position stays before it.
 */
import type { Clock } from '../base/time.ts';
import { afterAttempt, type Delivery, delayMsMax, isSuccess, type Outcome, pauseMsMax } from '../domain/delivery.ts';
import { type PlantEvent, placeNameOf, type Sequenced } from '../domain/event.ts';
import type { WebhookRecord } from '../domain/webhook.ts';
import type { DeliveryChange, DeliveryStore, NewEvents } from '../store/store.ts';

export interface Lane {
  /** The webhook as it was when the lane was last opened. */
  webhook(): WebhookRecord;
  /** How many deliveries are in flight. */
  inFlight(): number;
  /** Takes over the webhook as it is now, enabled; the next `load` looks for what is due. */
  open(webhook: WebhookRecord): void;
  /** Forgets what it has read, and gives nothing out until it opens again; what is in flight stays so. Returns whether it was open. */
  close(): boolean;
  /**
   * Reads what may be sent next, when there is room for it: what is due, and a piece of the log. Resolves to whether the log
   * has more. `share` is the largest number that may be in flight; the lane's own limit may be lower. Once the lane has come
   * to the end of the log it reads with `readLog`, which all lanes share.
   */
  load(share: number, readLog: ReadLog): Promise<boolean>;
  /** Claims what may be sent now: first what is due, then what is new; during a pause only what was requested. */
  take(share: number): Delivery[];
  /** Ends the attempt at a delivery that was taken, and returns the delivery after it. */
  finish(delivery: Delivery, outcome: Outcome): Delivery;
  /** What the store does not know yet. */
  progress(): Progress;
  /** Releases what the store has recorded. */
  recorded(progress: Progress): void;
}

export interface Progress {
  /** The deliveries that have finished. */
  readonly changes: readonly DeliveryChange[];
  /** With these changes every event up to here is sent or in the store. Absent when the store has this position already. */
  readonly position?: bigint;
}

/** Reads the log after this sequence. */
export type ReadLog = (after: bigint) => Promise<NewEvents>;

export interface LaneOptions {
  readonly deliveries: Pick<DeliveryStore, 'readDue' | 'readUntried'>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** How many events are read at a time. */
export const readMax = 100;

/** The largest number of attempts at one webhook at once. */
export const concurrencyMax = 8;

/** After so many failures in a row a receiver counts as dead: it is tried once in a while, however much waits for it. */
export const failuresInARowMax = 16;
export const deadPauseMs = 1000;

export const createLane = (created: WebhookRecord, { deliveries, clock, random }: LaneOptions): Lane => {
  let webhook = created;
  let isOpen = true;
  const throttle = createThrottle();
  /** By the names of the events' places. */
  const inFlight = new Map<string, Delivery>();
  let finished: DeliveryChange[] = [];
  /** What was read and not taken. */
  let due: Delivery[] = [];
  let waiting: Sequenced<PlantEvent>[] = [];
  let mayHaveDue = true;
  let readTo = created.position;
  let recordedTo = created.position;
  /** Whether the end of the log was reached; of what is appended since there are no deliveries. */
  let isCaughtUp = false;

  const roomIn = (share: number): number =>
    isOpen ? Math.max(0, Math.min(throttle.limit(), share) - inFlight.size) : 0;

  /** The position before all that waits, and before all new deliveries that are in flight and have not finished. */
  const position = (): bigint => {
    const ended = new Set(finished.map(({ before }) => before));
    const open = [...inFlight.values()].filter((delivery) => isNew(delivery) && !ended.has(delivery));
    const next = [...open.map(({ event }) => event), ...waiting.slice(0, 1)];
    return next.reduce((least, { sequence }) => (sequence <= least ? sequence - 1n : least), readTo);
  };

  const readDue = async (): Promise<Delivery[]> => {
    const nowMs = clock.nowMs();
    const now = new Date(nowMs).toISOString();
    const latest = new Date(nowMs + delayMsMax).toISOString();
    // With room there are fewer in flight than this, so one that is not is found.
    const found = await deliveries.readDue(webhook.id, { now, latest, limit: throttle.limit() });
    mayHaveDue = found.length > 0;
    return found.filter(({ event }) => !inFlight.has(placeNameOf(event)));
  };

  return {
    webhook: () => webhook,
    inFlight: () => inFlight.size,
    open: (now) => {
      webhook = now;
      isOpen = true;
      mayHaveDue = true;
    },
    close: () => {
      const wasOpen = isOpen;
      isOpen = false;
      readTo = position();
      waiting = [];
      isCaughtUp = false;
      return wasOpen;
    },
    load: async (share, readLog) => {
      if (roomIn(share) === 0) return false;
      if (mayHaveDue) due = await readDue();
      if (waiting.length > 0 || due.length >= roomIn(share)) return false;
      const page = await (isCaughtUp ? readLog(readTo) : deliveries.readUntried(webhook.id, readTo, readMax));
      // After it was closed the lane reads again what is still in flight.
      waiting = page.events.filter((event) => webhook.events.includes(event.type) && !inFlight.has(placeNameOf(event)));
      readTo = page.readTo;
      isCaughtUp ||= !page.hasMore;
      return page.hasMore;
    },
    take: (share) => {
      const isPaused = throttle.isPaused(clock.nowMs());
      const again = due.filter(({ requestedAt }) => !isPaused || requestedAt !== undefined).slice(0, roomIn(share));
      const events = isPaused ? [] : waiting.splice(0, roomIn(share) - again.length);
      const taken = [
        ...again,
        ...events.map((event) => ({ webhookId: webhook.id, event, attempts: [], attemptsInRound: 0 })),
      ];
      for (const delivery of taken) inFlight.set(placeNameOf(delivery.event), delivery);
      due = [];
      return taken;
    },
    finish: (before, outcome) => {
      const nowMs = clock.nowMs();
      throttle.adjust(outcome, nowMs);
      const after = afterAttempt(before, outcome, { nowMs, random: random() });
      finished.push({ before, after });
      return after;
    },
    progress: () => {
      const reached = position();
      return { changes: [...finished], ...(reached > recordedTo && { position: reached }) };
    },
    recorded: ({ changes, position: reached = recordedTo }) => {
      // Others may have finished while the store wrote.
      finished = finished.slice(changes.length);
      for (const { before } of changes) inFlight.delete(placeNameOf(before.event));
      recordedTo = reached;
    },
  };
};

/** A delivery that the store has is due at a time; a new one is not in the store. */
const isNew = ({ nextAttemptAt }: Delivery): boolean => nextAttemptAt === undefined;

/** How much a receiver gets: it earns attempts at once by successes, loses them by failures, and may ask for a pause. */
const createThrottle = () => {
  let limit = 1;
  let failuresInARow = 0;
  let pausedUntilMs = 0;
  let pausedAtMs = 0;
  return {
    limit: () => limit,
    isPaused: (nowMs: number) => nowMs < pausedUntilMs,
    adjust: ({ attempt, retryAfterMs = 0 }: Outcome, nowMs: number): void => {
      const isGood = isSuccess(attempt);
      limit = isGood ? Math.min(concurrencyMax, limit + 1) : Math.max(1, Math.floor(limit / 2));
      failuresInARow = isGood ? 0 : failuresInARow + 1;
      const deadMs = failuresInARow > failuresInARowMax ? deadPauseMs : 0;
      const pauseMs = Math.max(deadMs, Math.min(retryAfterMs, pauseMsMax));
      if (nowMs + pauseMs > pausedUntilMs) {
        pausedAtMs = nowMs;
        pausedUntilMs = nowMs + pauseMs;
      }
      // A success ends the pause, unless it began before the receiver asked for one.
      if (isGood && nowMs - attempt.durationMs > pausedAtMs) pausedUntilMs = nowMs;
    },
  };
};
