import { Type } from '@sinclair/typebox';
import {
  type Delivery as DeliveryRecord,
  retryDelaysSeconds,
  stateOf,
  testsPendingMax,
} from '../../domain/delivery.ts';
import { foreignCursor, noDelivery, noWebhook, tooManyTests } from '../../domain/error.ts';
import { eventIdOf } from '../../domain/event.ts';
import { type Examples, type Operation, operation } from '../operation.ts';
import { answerPage, invalidLimit } from '../paging.ts';
import { jsonResponse } from '../response.ts';
import { WebhookPath } from '../webhooks/schemas.ts';
import { Delivery, DeliveryListQuery, DeliveryPath } from './schemas.ts';

const delivered = {
  id: 'evt_1_Zk3Jm0nTq8yV5bXa',
  type: 'plant.created',
  state: 'delivered',
  attempts: [{ at: '2026-05-01T09:30:00.021Z', durationMs: 12, status: 204 }],
};

const pages: Examples = {
  some: {
    summary: 'One to be tried again, and one that was taken',
    value: [
      {
        id: 'evt_2_m0Qx7bV1cT9kLr2w',
        type: 'plant.updated',
        state: 'pending',
        attempts: [{ at: '2026-05-01T09:31:00.021Z', durationMs: 15_000, failure: 'timeout' }],
        nextAttemptAt: '2026-05-01T09:31:20.114Z',
      },
      delivered,
    ],
  },
};

const beingSent = (examples: Examples): Operation['answers'] => ({
  202: { description: 'The delivery, which is being sent.', schema: Delivery, examples },
});

const underWay = { id: 'evt_1t1_m0Qx7bV1cT9kLr2w', type: 'webhook.test', state: 'pending', attempts: [] };

export const testWebhook = operation({
  route: 'POST /webhooks/{webhookId}/test',
  summary: 'Test a webhook',
  description: `Sends a \`webhook.test\` to this webhook alone, at once, and enables the webhook if it was disabled. At most ${testsPendingMax} tests of a webhook may be pending.`,
  scope: 'webhooks:write',
  parameters: { path: WebhookPath },
  answers: beingSent({ test: { summary: 'A test that is being sent', value: underWay } }),
  failures: [noWebhook, tooManyTests],
  handler:
    ({ store: { deliveries } }) =>
    async ({ params: { webhookId } }) =>
      jsonResponse(toBody(await deliveries.test(webhookId)), {}, 202),
});

export const listDeliveries = operation({
  route: 'GET /webhooks/{webhookId}/deliveries',
  summary: 'List deliveries',
  description:
    'Lists what was sent to the webhook, the newest event first. An event is listed after the first attempt to send it, and a test at once, until the event is removed.',
  scope: 'webhooks:read',
  parameters: { path: WebhookPath, query: DeliveryListQuery },
  answers: {
    200: { description: 'A page of deliveries.', headers: ['Link'], schema: Type.Array(Delivery), examples: pages },
  },
  failures: [invalidLimit, foreignCursor, noWebhook],
  handler:
    ({ store: { deliveries } }) =>
    async ({ params: { webhookId }, query: { limit, after } }) =>
      answerPage({
        path: `/webhooks/${webhookId}/deliveries`,
        query: { limit, after },
        list: (count, last) =>
          deliveries.list(webhookId, { limit: count, after: last ? eventIdOf(last.event) : after }),
        toBody,
        toCursor: ({ event }) => eventIdOf(event),
      }),
});

export const redeliver = operation({
  route: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  summary: 'Send a delivery again',
  description: `Sends the message again, at once, under the same \`webhook-id\` and with all ${retryDelaysSeconds.length + 1} tries before it, and enables the webhook if it was disabled.`,
  scope: 'webhooks:write',
  parameters: { path: DeliveryPath },
  answers: beingSent({ again: { summary: 'On its way again', value: { ...delivered, state: 'pending' } } }),
  failures: [noWebhook, noDelivery, tooManyTests],
  handler:
    ({ store: { deliveries } }) =>
    async ({ params: { webhookId, deliveryId } }) =>
      jsonResponse(toBody(await deliveries.redeliver(webhookId, deliveryId)), {}, 202),
});

const toBody = (delivery: DeliveryRecord) => {
  const { event, attempts, nextAttemptAt, requestedAt } = delivery;
  return {
    id: eventIdOf(event),
    type: event.type,
    state: stateOf(delivery),
    attempts,
    nextAttemptAt: requestedAt === undefined ? nextAttemptAt : undefined,
  };
};
