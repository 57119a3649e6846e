import { askedFor, type Delivery, healthAfter } from '../../domain/delivery.ts';
import { AppError } from '../../domain/error.ts';
import { eventIdOf, type PlantEvent, type Sequenced, sequenceOf } from '../../domain/event.ts';
import { int64Max } from '../../domain/int64.ts';
import type { WebhookRecord } from '../../domain/webhook.ts';
import type { DeliveryChange, DeliveryStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { type DeliveryQueries, prepareDeliveryQueries, putDelivery, toDelivery } from './delivery-queries.ts';
import { appendEvent, prepareEventQueries, toEvent } from './event-queries.ts';
import { expectWebhook, prepareFindWebhook } from './webhooks.ts';

export const createDeliveryStore = ({ db, read, commit, announce, subscribe }: Connection): DeliveryStore => {
  const queries = prepareDeliveryQueries(db);
  const eventQueries = prepareEventQueries(db);
  const findWebhook = prepareFindWebhook(db);

  const find = (webhookId: string, sequence: bigint): Delivery | undefined => {
    const row = queries.bySequence.get({ webhookId, sequence });
    return row && toDelivery(row);
  };

  /** Makes a delivery due at once, whoever else waits, and its webhook ready for it. */
  const ask = ({ id }: WebhookRecord, delivery: Delivery): Delivery => {
    const asked = { ...delivery, tries: 0, nextAttemptAt: askedFor };
    putDelivery(queries, asked);
    const { failingSince = null } = expectWebhook(findWebhook, id);
    queries.setHealth.run({ id, failingSince, disabledAt: null, disabledReason: null });
    return asked;
  };

  const asking = async (write: () => Delivery): Promise<Delivery> => {
    const delivery = await commit(write);
    announce();
    return delivery;
  };

  return {
    list: (webhookId, { limit, after }) =>
      read(() => {
        expectWebhook(findWebhook, webhookId);
        const before = after === undefined ? int64Max : sequenceOf(after);
        if (before === undefined) throw new AppError('invalid_cursor', 'The cursor is not one of this list.');
        return queries.page.all({ webhookId, before, limit }).map(toDelivery);
      }),
    test: (webhookId) =>
      asking(() => {
        const webhook = expectWebhook(findWebhook, webhookId);
        appendEvent(eventQueries, { type: 'webhook.test', timestamp: new Date().toISOString() });
        const row = eventQueries.newest.get();
        if (!row) throw new Error('the event that was just written is not there');
        return ask(webhook, { webhookId, event: toEvent(row), attempts: [], tries: 0 });
      }),
    redeliver: (webhookId, eventId) =>
      asking(() => {
        const webhook = expectWebhook(findWebhook, webhookId);
        const delivery = find(webhookId, sequenceOf(eventId) ?? 0n);
        if (!delivery || eventIdOf(delivery.event) !== eventId)
          throw new AppError('not_found', 'There is no delivery with this id.');
        return ask(webhook, delivery);
      }),
    takeNew: ({ id: webhookId, events: types }, after, limit) =>
      read(() => {
        const rows = queries.log.all({ webhookId, after, limit });
        const events = rows
          .filter(({ takenBy }) => takenBy === null)
          .map(({ event }) => toEvent(event))
          .filter((event): event is Sequenced<PlantEvent> => types.some((type) => type === event.type));
        return { events, readTo: rows.at(-1)?.event.sequence ?? after, hasMore: rows.length === limit };
      }),
    takeDue: (webhookId, { now, latest, limit }) =>
      read(() => {
        const due = queries.due.all({ webhookId, now, limit });
        const putOff =
          due.length < limit ? queries.putOffPast.all({ webhookId, latest, limit: limit - due.length }) : [];
        return [...due, ...putOff].map(toDelivery);
      }),
    record: (changes, positions) =>
      commit(() => {
        const byWebhook = Map.groupBy(changes, ({ before }) => before.webhookId);
        for (const [webhookId, ofOne] of byWebhook) {
          const webhook = findWebhook(webhookId);
          if (webhook) recordOne(queries, webhook, ofOne);
        }
        for (const [id, position] of positions) queries.advance.run({ id, position });
      }),
    onNew: subscribe,
  };
};

const recordOne = (queries: DeliveryQueries, webhook: WebhookRecord, changes: readonly DeliveryChange[]): void => {
  for (const { before, after } of changes) putDelivery(queries, withAsked(queries, before, after));
  const { failingSince, disabled } = changes.map(({ after }) => after).reduce(healthAfter, webhook);
  queries.setHealth.run({
    id: webhook.id,
    failingSince: failingSince ?? null,
    disabledAt: disabled?.at ?? null,
    disabledReason: disabled?.reason ?? null,
  });
};

/** What became of the attempt; or, when a redelivery was asked for meanwhile, that. */
const withAsked = (queries: DeliveryQueries, before: Delivery, after: Delivery): Delivery => {
  const present = queries.bySequence.get({ webhookId: after.webhookId, sequence: after.event.sequence });
  const isAskedMeanwhile = present?.delivery.nextAttemptAt === askedFor && before.nextAttemptAt !== askedFor;
  return isAskedMeanwhile ? { ...after, tries: 0, nextAttemptAt: askedFor } : after;
};
