/** What the document says of the operations on deliveries. */
import { retryDelaysSeconds, testsPendingMax } from '../../domain/delivery.ts';
import { foreignCursor } from '../../domain/log-cursor.ts';
import { noDelivery, noWebhook, tooManyTests } from '../../domain/webhook-change.ts';
import { Delivery, DeliveryListQuery, DeliveryPath } from '../schemas/deliveries.ts';
import { ref, sentenceOf } from '../schemas/shape.ts';
import { WebhookPath } from '../schemas/webhooks.ts';
import { failureResponses, reading, writing } from './failures.ts';
import { headersOf } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { type Examples, json, listOf, needs } from './parts.ts';

const delivered = {
  id: 'evt_1_Zk3Jm0nTq8yV5bXa',
  type: 'plant.created',
  state: 'delivered',
  attempts: [{ at: '2026-05-01T09:30:00.021Z', durationMs: 12, status: 204 }],
};

const underWay = { id: 'evt_1t1_m0Qx7bV1cT9kLr2w', type: 'webhook.test', state: 'pending', attempts: [] };

const deliveries: Examples = {
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

export const deliveryPaths = {
  '/webhooks/{webhookId}/test': {
    parameters: parametersOf('path', WebhookPath),
    post: {
      operationId: 'testWebhook',
      tags: ['webhooks'],
      summary: 'Test a webhook',
      description: `Sends a \`webhook.test\` to this webhook alone, at once, and enables the webhook if it was disabled. At most ${testsPendingMax} tests of a webhook may be pending.`,
      security: needs('webhooks:write'),
      responses: {
        202: {
          description: 'The delivery, which is being sent.',
          content: json(ref(Delivery), { test: { summary: 'A test that is being sent', value: underWay } }),
        },
        ...failureResponses(...writing('webhooks:write'), noWebhook, tooManyTests),
      },
    },
  },
  '/webhooks/{webhookId}/deliveries': {
    parameters: parametersOf('path', WebhookPath),
    get: {
      operationId: 'listDeliveries',
      tags: ['webhooks'],
      summary: 'List deliveries',
      description:
        'Lists what was sent to the webhook, the newest event first. An event stands here once there was an attempt to send it, a test at once, and both for as long as the event is kept.',
      security: needs('webhooks:read'),
      parameters: parametersOf('query', DeliveryListQuery),
      responses: {
        200: {
          description: 'A page of deliveries.',
          headers: headersOf('Link'),
          content: json(listOf(Delivery), deliveries),
        },
        ...failureResponses(
          ['invalid_query', sentenceOf(DeliveryListQuery.properties.limit)],
          foreignCursor,
          ...reading('webhooks:read'),
          noWebhook,
        ),
      },
    },
  },
  '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': {
    parameters: parametersOf('path', DeliveryPath),
    post: {
      operationId: 'redeliver',
      tags: ['webhooks'],
      summary: 'Send a delivery again',
      description: `Sends the message again, at once, under the same \`webhook-id\` and with all ${retryDelaysSeconds.length + 1} tries before it, and enables the webhook if it was disabled.`,
      security: needs('webhooks:write'),
      responses: {
        202: {
          description: 'The delivery, which is being sent.',
          content: json(ref(Delivery), {
            again: { summary: 'On its way again', value: { ...delivered, state: 'pending' } },
          }),
        },
        ...failureResponses(...writing('webhooks:write'), noWebhook, noDelivery, tooManyTests),
      },
    },
  },
};
