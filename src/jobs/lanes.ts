/**
 * The lanes of all enabled webhooks, and what goes into them: first what is due again, then what is new. What is new is read
 * once for all lanes that have come to the end of the log, so that many webhooks cost little while little happens.
 */

import type { Clock } from '../base/clock.ts';
import { type Delivery, delayMsMax } from '../domain/delivery.ts';
import { placeNameOf } from '../domain/event.ts';
import type { WebhookRecord } from '../domain/webhook.ts';
import { type Log, logFailure } from '../log.ts';
import type { DeliveryStore, NewEvents, Store } from '../store/store.ts';
import { close, createLane, type Lane } from './lane.ts';
import type { Slots } from './slots.ts';

export interface LanesOptions {
  readonly store: Pick<Store, 'webhooks' | 'deliveries'>;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly log: Log;
  /** Begins an attempt, which takes its place at once; `isNew` when the event has no delivery in the store yet. */
  readonly begin: (webhook: WebhookRecord, lane: Lane, delivery: Delivery, isNew: boolean) => void;
  /** Asks for another turn, because there is more to read. */
  readonly goOn: () => void;
}

export interface Lanes {
  /** By the id of the webhook. */
  readonly all: ReadonlyMap<string, Lane>;
  /** Learns which webhooks there are and which are enabled, and has the next `fill` look for what is due. */
  refresh(): Promise<void>;
  /** Begins what there is room for. What goes wrong in one lane is logged, and leaves the others alone. */
  fill(): Promise<void>;
}

/** How many events are read at a time. */
const readMax = 100;

export const createLanes = ({
  store: { webhooks, deliveries },
  slots,
  clock,
  log,
  begin,
  goOn,
}: LanesOptions): Lanes => {
  const lanes = new Map<string, Lane>();
  let enabled: readonly WebhookRecord[] = [];
  let turn = 0;

  const refresh = async (): Promise<void> => {
    const all = await webhooks.list();
    enabled = all.filter(({ disabled }) => !disabled);
    for (const { id, position } of enabled) {
      const lane = lanes.get(id) ?? createLane(position);
      lane.isOpen = true;
      lane.mayHaveDue = true;
      lanes.set(id, lane);
    }
    const ids = new Set(enabled.map(({ id }) => id));
    for (const [id, lane] of lanes) {
      if (ids.has(id)) continue;
      const reason = all.find((webhook) => webhook.id === id)?.disabled?.reason;
      if (lane.isOpen && reason) log.warn({ webhookId: id, reason }, 'webhook disabled');
      close(lane);
      if (lane.inFlight.size === 0) lanes.delete(id);
    }
  };

  const fill = async (): Promise<void> => {
    const tail = createTail(deliveries);
    // Another one is first each time, so that none is always last when there is little room.
    turn = (turn + 1) % Math.max(1, enabled.length);
    for (const webhook of [...enabled.slice(turn), ...enabled.slice(0, turn)]) {
      const lane = lanes.get(webhook.id);
      if (!lane || !slots.hasRoom(lane)) continue;
      try {
        if (lane.mayHaveDue) await beginDue(webhook, lane);
        if (clock.nowMs() >= lane.pausedUntilMs) await beginNew(webhook, lane, tail);
      } catch (error) {
        logFailure(log, error, { webhookId: webhook.id });
      }
    }
  };

  const beginDue = async (webhook: WebhookRecord, lane: Lane): Promise<void> => {
    const nowMs = clock.nowMs();
    const due = await deliveries.readDue(webhook.id, {
      now: new Date(nowMs).toISOString(),
      latest: new Date(nowMs + delayMsMax).toISOString(),
      // More than are under way, as there is room.
      limit: lane.window,
    });
    lane.mayHaveDue = due.length > 0;
    for (const delivery of due) {
      const isFree = !lane.inFlight.has(placeNameOf(delivery.event)) && slots.hasRoom(lane);
      if (isFree && (nowMs >= lane.pausedUntilMs || delivery.requestedAt !== undefined))
        begin(webhook, lane, delivery, false);
    }
  };

  const beginNew = async (webhook: WebhookRecord, lane: Lane, tail: Tail): Promise<void> => {
    if (lane.waiting.length === 0 && slots.hasRoom(lane)) await readOn(webhook, lane, tail);
    while (slots.hasRoom(lane)) {
      const event = lane.waiting.shift();
      if (!event) break;
      begin(webhook, lane, { webhookId: webhook.id, event, attempts: [], tries: 0 }, true);
    }
  };

  /** Reads a piece of the log; for the next one the loop comes round again, and other work in between. */
  const readOn = async ({ id, events: types }: WebhookRecord, lane: Lane, tail: Tail): Promise<void> => {
    const { readTo } = lane;
    const page = lane.isCaughtUp ? await tail(readTo) : await deliveries.readUntried(id, readTo, readMax);
    const wanted = page.events.filter((event) => types.includes(event.type) && !lane.inFlight.has(placeNameOf(event)));
    lane.waiting.push(...wanted);
    lane.readTo = page.readTo;
    lane.isCaughtUp ||= !page.hasMore;
    if (page.hasMore) goOn();
  };

  return { all: lanes, refresh, fill };
};

/** The log after a place, read once in a turn however many lanes stand there. */
type Tail = (after: bigint) => Promise<NewEvents>;

const createTail = ({ readLog }: DeliveryStore): Tail => {
  const pages = new Map<bigint, Promise<NewEvents>>();
  return (after) => {
    const page = pages.get(after) ?? readLog(after, readMax);
    pages.set(after, page);
    return page;
  };
};
