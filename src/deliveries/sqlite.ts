import { keyOf, maxKey, parseEventId, plantEventTypes } from '../events/event.ts';
import { isEveryType, toNewEvents } from '../events/row.ts';
import { firstOfTypes, keyOfCursor } from '../events/sqlite.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import type { Queries } from '../webhooks/sqlite.ts';
import { expectWebhook, type Health } from '../webhooks/webhook.ts';
import { type Delivery, expectRoomForTestMessage, newDelivery, request } from './delivery.ts';
import { requestRedelivery } from './health.ts';
import { lastPlace } from './place.ts';
import { planRecord, webhooksOf } from './record.ts';
import type { DeliveryQueries } from './sqlite-queries.ts';
import type { DeliveryStore } from './store.ts';

export const createDeliveryStore = (
  { read, transact, now }: Transactions,
  queries: Queries & { readonly deliveries: DeliveryQueries },
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
        const before = after === undefined ? maxKey : keyOfCursor(queries, after);
        expectWebhook(webhooks.find(webhookId));
        return deliveries.page(webhookId, before, limit);
      }),
    listByState: (state, { limit, after = lastPlace }) => read(() => deliveries.pageOfState(state, after, limit)),
    countByState: (state, limit) => read(() => deliveries.countOfState(state, limit)),
    createTestMessage: (webhookId) =>
      transact(() => {
        expectWebhook(webhooks.find(webhookId));
        expectRoomForTestMessage(deliveries.countPendingTestMessages(webhookId));
        const key = { sequence: events.lastSequence(), number: deliveries.newestTestMessage() + 1n };
        const event = { type: 'webhook.test', ...key, timestamp: now().toISOString() } as const;
        return putRequested(request(newDelivery(webhookId, event), new Date()));
      }, 'webhook'),
    redeliver: (webhookId, id) =>
      transact(() => {
        const key = parseEventId(id);
        const delivery = key && deliveries.find(webhookId, key);
        const pendingTestMessages = () => deliveries.countPendingTestMessages(webhookId);
        return putRequested(
          requestRedelivery(webhooks.find(webhookId), delivery, { id, pendingTestMessages, now: new Date() }),
        );
      }, 'webhook'),
    readUntried: (webhookId, after, limit, types = plantEventTypes) =>
      read(() => {
        const range = { webhookId, after, limit };
        const read = isEveryType(types)
          ? { rows: deliveries.log().all(range) }
          : {
              rows: firstOfTypes(types, limit, (type) => deliveries.logOfType().all({ ...range, type })),
              newest: events.newest().get(),
            };
        return toNewEvents({ ...read, after, limit }, ({ triedBy }) => triedBy === null);
      }),
    readDue: (webhookId, range) => read(() => deliveries.due(webhookId, range)),
    readNextDue: (webhookId) => read(() => deliveries.nextDue(webhookId)),
    record: (changes, positions, epochs) =>
      transact(() => {
        const healths = new Map<string, Health>();
        for (const id of webhooksOf(changes, positions)) {
          const health = webhooks.findHealth(id, epochs.get(id));
          if (health) healths.set(id, health);
        }
        const requested = new Set([...healths.keys()].filter(deliveries.hasRequests));
        const requests = changes.map(({ after: { webhookId, event } }) => {
          const key = keyOf(event);
          // Only a test message can have been removed, and few webhooks have a request.
          return requested.has(webhookId) || key.number > 0n ? deliveries.findRequest(webhookId, key) : undefined;
        });
        const plan = planRecord(changes, { requests, healths, oldest: events.firstSequence() ?? 0n });
        for (const delivery of plan.deliveries) deliveries.put(delivery);
        for (const [id, health] of plan.healths) webhooks.setHealth(id, health);
        for (const [id, position] of positions) if (healths.has(id)) webhooks.advance(id, position);
      }),
  };
};
