import { compareDue, type Delivery, expectRoomForTest, keepRequest, request } from '../../domain/delivery.ts';
import { compareNewest, type EventPlace, newestPlace, placeIn, placeOf, plantEventTypes } from '../../domain/event.ts';
import { expectWebhook, type Health, healthAfter, requestAgain, type WebhookRecord } from '../../domain/webhook.ts';
import { isEveryType, toNewEvents } from '../rows/event.ts';
import type { DeliveryChange, DeliveryStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { createLogDeliveries, type DeliveryTable, type DueReason, prepareDeliveryQueries } from './delivery-queries.ts';
import { firstOfTypes, placeOfCursor } from './events.ts';
import type { Queries } from './queries.ts';

export const createDeliveryStore = ({ db, read, commit, change, now }: Connection, shared: Queries): DeliveryStore => {
  const { events, tests, webhooks } = shared;
  const queries = prepareDeliveryQueries(db);
  const log = createLogDeliveries(queries);
  const tableOf = ({ number }: EventPlace): DeliveryTable => (number === 0n ? log : tests);

  /** Stores a requested delivery, and enables its webhook. */
  const keepRequested = (delivery: Delivery): Delivery => {
    tableOf(placeOf(delivery.event)).put(delivery);
    webhooks.enable(delivery.webhookId, new Date());
    return delivery;
  };

  /** The delivery to store after an attempt. */
  const settle = ({ before, after }: DeliveryChange): Delivery => {
    const place = placeOf(after.event);
    return keepRequest(tableOf(place).find(after.webhookId, place), before, after);
  };

  /** Stores the attempts to one webhook, and its health after them. */
  const recordOne = (webhook: WebhookRecord, changes: readonly DeliveryChange[]): void => {
    const deliveries = changes.map(settle);
    for (const delivery of deliveries) tableOf(placeOf(delivery.event)).put(delivery);
    webhooks.setHealth(webhook.id, deliveries.reduce<Health>(healthAfter, webhook));
  };

  return {
    list: (webhookId, { limit, after }) =>
      read(() => {
        const before = after === undefined ? newestPlace : placeOfCursor(shared, after);
        expectWebhook(webhooks.find(webhookId));
        return [...log.page(webhookId, before, limit), ...tests.page(webhookId, before, limit)]
          .sort((a, b) => compareNewest(placeOf(a.event), placeOf(b.event)))
          .slice(0, limit);
      }),
    test: (webhookId) =>
      change('webhook', () => {
        expectWebhook(webhooks.find(webhookId));
        expectRoomForTest(tests.countPending(webhookId));
        return keepRequested(request(tests.insert(webhookId, now()), new Date()));
      }),
    redeliver: (webhookId, id) =>
      change('webhook', () => {
        const place = placeIn(id);
        const delivery = place && tableOf(place).find(webhookId, place);
        const pendingTests = () => tests.countPending(webhookId);
        return keepRequested(requestAgain(webhooks.find(webhookId), delivery, { id, pendingTests, now: new Date() }));
      }),
    readUntried: (webhookId, after, limit, types = plantEventTypes) =>
      read(() => {
        const range = { webhookId, after, limit };
        const read = isEveryType(types)
          ? { rows: queries.log.all(range) }
          : {
              rows: firstOfTypes(types, limit, (type) => queries.logOfType.all({ ...range, type })),
              newest: events.newest.get(),
            };
        return toNewEvents({ ...read, after, limit }, ({ triedBy }) => triedBy === null);
      }),
    readDue: (webhookId, range) =>
      read(() => {
        const find = (reason: DueReason): Delivery[] =>
          [log, tests].flatMap((table) => table.due(reason, { webhookId, ...range }));
        const due = [...find('requested'), ...find('scheduled')].sort(compareDue);
        if (due.length < range.limit) due.push(...find('scheduledAfter'));
        return due.slice(0, range.limit);
      }),
    record: (changes, positions, epochs) =>
      commit(() => {
        // Pruning removes the beginning of the log.
        const oldest = events.oldest.get({ limit: 1 })?.sequence ?? 0n;
        const kept = changes.filter(
          ({ before: { event } }) => event.type === 'webhook.test' || event.sequence >= oldest,
        );
        for (const [webhookId, ofOne] of Map.groupBy(kept, ({ before }) => before.webhookId)) {
          const webhook = webhooks.findLeased(webhookId, epochs.get(webhookId));
          if (webhook) recordOne(webhook, ofOne);
        }
        for (const [id, position] of positions)
          if (webhooks.findLeased(id, epochs.get(id))) webhooks.advance(id, position);
      }),
  };
};
