import { type Delivery, expectRoomForTest, newDelivery, reconcile, request } from '../../domain/delivery.ts';
import { newestPlace, placeIn, placeOf, plantEventTypes } from '../../domain/event.ts';
import { expectWebhook, type Health, healthAfter, requestAgain } from '../../domain/webhook.ts';
import { isEveryType, toNewEvents } from '../rows/event.ts';
import type { DeliveryStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { firstOfTypes, placeOfCursor } from './events.ts';
import type { WebhookQueries } from './webhooks.ts';

export const createDeliveryStore = (
  { read, commit, commitAndAnnounce, now }: Connection,
  queries: WebhookQueries,
): DeliveryStore => {
  const { deliveries, events, webhooks } = queries;

  /** Stores a requested delivery, and enables its webhook. */
  const putRequested = (delivery: Delivery): Delivery => {
    deliveries.put(delivery);
    webhooks.enable(delivery.webhookId, new Date());
    return delivery;
  };

  return {
    list: (webhookId, { limit, after }) =>
      read(() => {
        const before = after === undefined ? newestPlace : placeOfCursor(queries, after);
        expectWebhook(webhooks.find(webhookId));
        return deliveries.page(webhookId, before, limit);
      }),
    test: (webhookId) =>
      commitAndAnnounce('webhook', () => {
        expectWebhook(webhooks.find(webhookId));
        expectRoomForTest(deliveries.countPendingTests(webhookId));
        const place = { sequence: events.lastSequence(), number: deliveries.newestTest() + 1n };
        const event = { type: 'webhook.test', ...place, timestamp: now().toISOString() } as const;
        return putRequested(request(newDelivery(webhookId, event), new Date()));
      }),
    redeliver: (webhookId, id) =>
      commitAndAnnounce('webhook', () => {
        const place = placeIn(id);
        const delivery = place && deliveries.find(webhookId, place);
        const pendingTests = () => deliveries.countPendingTests(webhookId);
        return putRequested(requestAgain(webhooks.find(webhookId), delivery, { id, pendingTests, now: new Date() }));
      }),
    readUntried: (webhookId, after, limit, types = plantEventTypes) =>
      read(() => {
        const range = { webhookId, after, limit };
        const read = isEveryType(types)
          ? { rows: deliveries.log.all(range) }
          : {
              rows: firstOfTypes(types, limit, (type) => deliveries.logOfType.all({ ...range, type })),
              newest: events.newest.get(),
            };
        return toNewEvents({ ...read, after, limit }, ({ triedBy }) => triedBy === null);
      }),
    readDue: (webhookId, range) => read(() => deliveries.due(webhookId, range)),
    record: (changes, positions, epochs) =>
      commit(() => {
        const oldest = events.firstSequence() ?? 0n;
        for (const [webhookId, ofOne] of Map.groupBy(changes, ({ before }) => before.webhookId)) {
          const webhook = webhooks.findLeased(webhookId, epochs.get(webhookId));
          if (!webhook) continue;
          const recorded = ofOne.flatMap((change) => {
            const present = deliveries.find(webhookId, placeOf(change.after.event));
            return reconcile(present, change, oldest) ?? [];
          });
          for (const delivery of recorded) deliveries.put(delivery);
          webhooks.setHealth(webhookId, recorded.reduce<Health>(healthAfter, webhook));
        }
        for (const [id, position] of positions)
          if (webhooks.findLeased(id, epochs.get(id))) webhooks.advance(id, position);
      }),
  };
};
