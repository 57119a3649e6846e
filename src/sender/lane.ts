/**
 * The deliveries to one webhook. A lane reads the log of events from the position of its webhook, a page at a time, so it has
 * few events in memory even if many wait. A slow or dead receiver delays only its own lane.
 *
 * `load` reads deliveries, `take` claims them, the caller attempts them, `finish` ends the attempt, and `recorded` releases
 * them once the store has the outcome. From claim to release they are in flight, and the position stays before them.
 */
import type { Clock } from '../base/time.ts';
import {
  afterAttempt,
  type Delivery,
  type DeliveryChange,
  delayMsMax,
  newDelivery,
  type Outcome,
} from '../deliveries/delivery.ts';
import type { DeliveryStore } from '../deliveries/store.ts';
import { keyTextOf, type PlantEventType, plantEventTypes, type Sequenced } from '../events/event.ts';
import type { NewEvents } from '../events/store.ts';
import type { PlantEvent } from '../plants/plant.ts';
import type { WebhookRecord } from '../webhooks/webhook.ts';
import type { Load } from './share.ts';
import { createThrottle } from './throttle.ts';

export type Lane = ReturnType<typeof createLane>;

/** The finished deliveries, and the new position. */
export interface Progress {
  readonly changes: readonly DeliveryChange[];
  /** After these changes, every event up to this sequence is sent or has a delivery in the store. Omitted if it has not changed. */
  readonly position?: bigint;
}

/** Reads the events of these types in the log after this sequence. */
export type ReadLog = (after: bigint, types: readonly PlantEventType[]) => Promise<NewEvents>;

export interface LaneOptions {
  readonly deliveries: Pick<DeliveryStore, 'readDue' | 'readNextDue' | 'readUntried'>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

export const readMax = 100;

export const createLane = (created: WebhookRecord, { deliveries, clock, random }: LaneOptions) => {
  let webhook = created;
  /** Each type that the webhook subscribes to, once. */
  const types = plantEventTypes.filter((type) => created.events.includes(type));
  let isOpen = true;
  const throttle = createThrottle();
  /** By the keys of the events, as text. */
  const inFlight = new Map<string, Delivery>();
  let finished: DeliveryChange[] = [];
  /** Read, but not claimed: deliveries that are due, and new events. */
  let due: Delivery[] = [];
  let waiting: Sequenced<PlantEvent>[] = [];
  let mayHaveDue = true;
  /** When the first of those that are not due will be. */
  let nextDueMs = Number.POSITIVE_INFINITY;
  let readTo = created.position;
  let recordedTo = created.position;
  /** Whether the lane has reached the end of the log. Later events have no deliveries yet. */
  let isCaughtUp = false;

  const roomIn = (share: number): number =>
    isOpen ? Math.max(0, Math.min(throttle.limit(), share) - inFlight.size) : 0;

  /**
   * The sequence after which the next owner of the lease reads the log, once the finished deliveries are stored: the one before the
   * first event that waits, or that is in its first attempt.
   */
  const position = (): bigint => {
    const ended = new Set(finished.map(({ before }) => before));
    let reached = readTo;
    const stopBefore = ({ sequence }: Sequenced): void => {
      if (sequence <= reached) reached = sequence - 1n;
    };
    for (const delivery of inFlight.values()) {
      // A delivery in the store has a time at which it is due. A new one is not in the store yet.
      if (delivery.nextAttemptAt === undefined && !ended.has(delivery)) stopBefore(delivery.event);
    }
    if (waiting[0]) stopBefore(waiting[0]);
    return reached;
  };

  const readDue = async (): Promise<Delivery[]> => {
    const nowMs = clock.nowMs();
    const now = new Date(nowMs).toISOString();
    const latest = new Date(nowMs + delayMsMax).toISOString();
    // Fewer deliveries than this limit are in flight, so at least one other is found if it exists.
    const found = await deliveries.readDue(webhook.id, { now, latest, limit: throttle.limit() });
    mayHaveDue = found.length > 0;
    if (!mayHaveDue) {
      const next = await deliveries.readNextDue(webhook.id);
      nextDueMs = next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next);
    }
    return found.filter(({ event }) => !inFlight.has(keyTextOf(event)));
  };

  return {
    /** The webhook as of the last `open`. */
    webhook: () => webhook,
    inFlight: () => inFlight.size,

    isQuick: throttle.isQuick,

    /** Whether the lane has nothing to do until an event is written, or a delivery is requested. */
    isIdle: (): boolean => {
      const isDone = inFlight.size === 0 && position() <= recordedTo;
      if (!isOpen) return isDone;
      // One that is scheduled too late, by a clock ahead, is due as well.
      const untilDueMs = nextDueMs - clock.nowMs();
      const isDue = untilDueMs <= 0 || (untilDueMs > delayMsMax && nextDueMs < Number.POSITIVE_INFINITY);
      return isDone && isCaughtUp && waiting.length === 0 && !mayHaveDue && !isDue;
    },

    ownLoad: (): Load => {
      const mayClaim = due.length > 0 || (waiting.length > 0 && !throttle.isPaused(clock.nowMs()));
      return { attempts: inFlight.size, busyLanes: Number(inFlight.size > 0 || mayClaim) };
    },

    /** Opens the lane for the current, enabled webhook. The next `load` reads due deliveries. */
    open: (now: WebhookRecord): void => {
      webhook = now;
      isOpen = true;
      mayHaveDue = true;
    },

    /** Discards events that were read, and stops claims until `open`. Deliveries in flight continue. Returns whether it was open. */
    close: (): boolean => {
      const wasOpen = isOpen;
      isOpen = false;
      readTo = position();
      waiting = [];
      isCaughtUp = false;
      return wasOpen;
    },

    /**
     * Reads due deliveries and a page of the log, if the concurrency limit permits. Resolves to whether the log has more. At most
     * `share` may be in flight, or fewer by the limit of the lane. At the end of the log it reads with `readLog`, which lanes share.
     */
    load: async (share: number, readLog: ReadLog): Promise<boolean> => {
      if (roomIn(share) === 0) return false;
      if (mayHaveDue) due = await readDue();
      if (waiting.length > 0 || due.length >= roomIn(share)) return false;
      const page = await (isCaughtUp
        ? readLog(readTo, types)
        : deliveries.readUntried(webhook.id, readTo, readMax, types));
      // A lane that was closed reads events in flight again.
      waiting = page.events.filter((event) => !inFlight.has(keyTextOf(event)));
      readTo = page.readTo;
      isCaughtUp ||= !page.hasMore;
      return page.hasMore;
    },

    /** Claims deliveries: first due ones, then new ones. During a pause, only requested ones. */
    take: (share: number): Delivery[] => {
      const isPaused = throttle.isPaused(clock.nowMs());
      const again = due.filter(({ requestedAt }) => !isPaused || requestedAt !== undefined).slice(0, roomIn(share));
      const events = isPaused ? [] : waiting.splice(0, roomIn(share) - again.length);
      const fresh = events.map((event) => newDelivery(webhook.id, event));
      const taken = [...again, ...fresh];
      for (const delivery of taken) inFlight.set(keyTextOf(delivery.event), delivery);
      due = [];
      return taken;
    },

    /** Ends the attempt of a claimed delivery. Returns the delivery after it. */
    finish: (before: Delivery, outcome: Outcome): Delivery => {
      const nowMs = clock.nowMs();
      throttle.adjust(outcome, nowMs);
      const after = afterAttempt(before, outcome, { nowMs, random: random() });
      finished.push({ before, after });
      return after;
    },

    /** The outcomes that the store does not have yet. */
    progress: (): Progress => {
      const reached = position();
      return { changes: [...finished], ...(reached > recordedTo && { position: reached }) };
    },

    /** Releases the deliveries that the store has recorded. Others may have finished since then. */
    recorded: ({ changes, position: reached = recordedTo }: Progress): void => {
      finished = finished.slice(changes.length);
      for (const { before } of changes) inFlight.delete(keyTextOf(before.event));
      recordedTo = reached;
    },
  };
};
