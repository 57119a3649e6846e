import { askFor, type Delivery, isAskedFor } from '../../domain/delivery.ts';
import { AppError } from '../../domain/error.ts';
import { eventIdOf, isOfPlant, sequenceOf } from '../../domain/event.ts';
import { type Health, healthAfter } from '../../domain/health.ts';
import { int64Max } from '../../domain/int64.ts';
import type { WebhookRecord } from '../../domain/webhook.ts';
import type { DeliveryChange, DeliveryStore, NewEvents } from '../store.ts';
import type { Connection } from './connection.ts';
import { type DeliveryQueries, prepareDeliveryQueries, putDelivery, toDelivery } from './delivery-queries.ts';
import { appendEvent, type EventQueries, type EventRow, placeOf, toEvent } from './event-queries.ts';
import { expectWebhook, type FindWebhook } from './webhooks.ts';

export const createDeliveryStore = (
  { db, read, commit, change, subscribe }: Connection,
  eventQueries: EventQueries,
  findWebhook: FindWebhook,
): DeliveryStore => {
  const queries = prepareDeliveryQueries(db);

  const find = (webhookId: string, sequence: bigint): Delivery | undefined => {
    const row = queries.bySequence.get({ webhookId, sequence });
    return row && toDelivery(row);
  };

  /** Makes a delivery due at once, whoever else waits, and its webhook ready for it. */
  const ask = ({ id }: WebhookRecord, delivery: Delivery): Delivery => {
    const now = new Date();
    const asked = askFor(delivery, now);
    putDelivery(queries, asked);
    queries.enable.run({ id, now: now.toISOString() });
    return asked;
  };

  return {
    list: (webhookId, { limit, after }) =>
      read(() => {
        const before = after === undefined ? int64Max : placeOf(eventQueries, after).sequence;
        expectWebhook(findWebhook, webhookId);
        return queries.page.all({ webhookId, before, limit }).map(toDelivery);
      }),
    test: (webhookId) =>
      change('webhook', () => {
        const webhook = expectWebhook(findWebhook, webhookId);
        appendEvent(eventQueries, { type: 'webhook.test', timestamp: new Date().toISOString() });
        const row = eventQueries.newest.get();
        if (!row) throw new Error('the event that was just written is not there');
        return ask(webhook, { webhookId, event: toEvent(row), attempts: [], tries: 0 });
      }),
    redeliver: (webhookId, eventId) =>
      change('webhook', () => {
        const webhook = expectWebhook(findWebhook, webhookId);
        const delivery = find(webhookId, sequenceOf(eventId) ?? 0n);
        if (!delivery || eventIdOf(delivery.event) !== eventId)
          throw new AppError('not_found', 'There is no delivery with this id.');
        return ask(webhook, delivery);
      }),
    readLog: (after, limit) =>
      read(() => {
        const rows = eventQueries.all.all({ after, limit });
        return toNewEvents(rows, rows, after, limit);
      }),
    readUntried: (webhookId, after, limit) =>
      read(() => {
        const rows = queries.log.all({ webhookId, after, limit });
        const untried = rows.filter(({ triedBy }) => triedBy === null);
        return toNewEvents(untried.map(eventOf), rows.map(eventOf), after, limit);
      }),
    readDue: (webhookId, { now, latest, limit }) =>
      read(() => {
        const due = queries.due.all({ webhookId, now, limit });
        const putOff =
          due.length < limit ? queries.putOffPast.all({ webhookId, latest, limit: limit - due.length }) : [];
        return [...due, ...putOff].map(toDelivery);
      }),
    record: (changes, positions) =>
      commit(() => {
        // The log loses its beginning alone.
        const oldest = eventQueries.oldest.get({ limit: 1 })?.sequence ?? 0n;
        const kept = changes.filter(({ before }) => before.event.sequence >= oldest);
        for (const [webhookId, ofOne] of Map.groupBy(kept, ({ before }) => before.webhookId)) {
          const webhook = findWebhook(webhookId);
          if (webhook) recordOne(queries, webhook, ofOne);
        }
        for (const [id, position] of positions) queries.advance.run({ id, position });
      }),
    onNew: subscribe,
  };
};

/** Puts down the attempts at one webhook, and what they make of its health. */
const recordOne = (queries: DeliveryQueries, webhook: WebhookRecord, changes: readonly DeliveryChange[]): void => {
  const deliveries = changes.map(({ before, after }) => withAsked(queries, before, after));
  for (const delivery of deliveries) putDelivery(queries, delivery);
  const { failingSince, disabled } = deliveries.reduce<Health>(healthAfter, webhook);
  queries.setHealth.run({
    id: webhook.id,
    failingSince: failingSince ?? null,
    disabledAt: disabled?.at ?? null,
    disabledReason: disabled?.reason ?? null,
  });
};

/** What became of the attempt; or, when a redelivery was asked for meanwhile, that. */
const withAsked = (queries: DeliveryQueries, before: Delivery, after: Delivery): Delivery => {
  const row = queries.bySequence.get({ webhookId: after.webhookId, sequence: after.event.sequence });
  const present = row && toDelivery(row);
  return present?.nextAttemptAt !== undefined && isAskedFor(present) && present.nextAttemptAt !== before.nextAttemptAt
    ? { ...after, tries: 0, nextAttemptAt: present.nextAttemptAt }
    : after;
};

const eventOf = ({ event }: { readonly event: EventRow }): EventRow => event;

/** The events of plants among these rows, of all that were read. */
const toNewEvents = (
  rows: readonly EventRow[],
  read: readonly EventRow[],
  after: bigint,
  limit: number,
): NewEvents => ({
  events: rows.map(toEvent).filter(isOfPlant),
  readTo: read.at(-1)?.sequence ?? after,
  hasMore: read.length === limit,
});
