import { type Delivery, stateOf } from '../domain/delivery.ts';
import { eventIdOf } from '../domain/event.ts';
import type { DeliveryStore } from '../store/store.ts';
import { answerPage } from './paging.ts';
import { jsonResponse } from './response.ts';
import type { DeliveryListParams, DeliveryPathParams } from './schemas/deliveries.ts';
import type { WebhookPathParams } from './schemas/webhooks.ts';

export const listDeliveries =
  (deliveries: DeliveryStore) =>
  async ({
    params: { webhookId },
    query: { limit, after },
  }: {
    params: WebhookPathParams;
    query: DeliveryListParams;
  }): Promise<Response> =>
    answerPage({
      path: `/webhooks/${webhookId}/deliveries`,
      query: { limit, after },
      list: (count, last) => {
        const place = last === undefined ? after : eventIdOf(last.event);
        return deliveries.list(webhookId, { limit: count, ...(place !== undefined && { after: place }) });
      },
      toBody,
      toCursor: ({ event }) => eventIdOf(event),
    });

export const testWebhook =
  (deliveries: DeliveryStore) =>
  async ({ params: { webhookId } }: { params: WebhookPathParams }): Promise<Response> =>
    jsonResponse(toBody(await deliveries.test(webhookId)), {}, 202);

export const redeliver =
  (deliveries: DeliveryStore) =>
  async ({ params: { webhookId, deliveryId } }: { params: DeliveryPathParams }): Promise<Response> =>
    jsonResponse(toBody(await deliveries.redeliver(webhookId, deliveryId)), {}, 202);

const toBody = (delivery: Delivery) => {
  const { event, attempts, nextAttemptAt, requestedAt } = delivery;
  return {
    id: eventIdOf(event),
    type: event.type,
    state: stateOf(delivery),
    attempts,
    nextAttemptAt: requestedAt === undefined ? nextAttemptAt : undefined,
  };
};
