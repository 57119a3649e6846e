import { Type } from '@sinclair/typebox';
import { toJsonPage } from '../../base/json-page.ts';
import { retryDelaysSeconds, testsPendingMax } from '../../domain/delivery.ts';
import { foreignCursor, noDelivery, noWebhook, tooManyTests } from '../../domain/error.ts';
import { eventIdOf } from '../../domain/event.ts';
import type { Examples } from '../example.ts';
import { type Operation, operation } from '../operation.ts';
import { answerPage, invalidLimit } from '../paging.ts';
import { jsonResponse } from '../response.ts';
import { WebhookPath } from '../webhooks/schemas.ts';
import { deliveryPages, redeliveries, tests } from './examples.ts';
import { toBody } from './representation.ts';
import { Delivery, DeliveryListQuery, DeliveryPath } from './schemas.ts';

const beingSent = (examples: Examples): Operation['answers'] => ({
  202: { description: 'The delivery, which is being sent.', schema: Delivery, examples },
});

export const testWebhook = operation({
  route: 'POST /webhooks/{webhookId}/test',
  summary: 'Test a webhook',
  description: `Sends a \`webhook.test\` to this webhook alone, at once, and enables the webhook if it was disabled. At most ${testsPendingMax} tests of a webhook may be pending.`,
  scope: 'webhooks:write',
  parameters: { path: WebhookPath },
  answers: beingSent(tests),
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
    200: {
      description: 'A page of deliveries.',
      headers: ['Link'],
      schema: Type.Array(Delivery),
      examples: deliveryPages,
    },
  },
  failures: [invalidLimit, foreignCursor, noWebhook],
  handler:
    ({ store: { deliveries } }) =>
    async ({ params: { webhookId }, query: { limit, after } }) =>
      answerPage<string>({
        path: `/webhooks/${webhookId}/deliveries`,
        query: { limit, after },
        list: async (count, end = after) =>
          toJsonPage(await deliveries.list(webhookId, { limit: count + 1, after: end }), count, {
            toJson: (delivery) => JSON.stringify(toBody(delivery)),
            placeOf: ({ event }) => eventIdOf(event),
          }),
        toCursor: (end) => end,
      }),
});

export const redeliver = operation({
  route: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  summary: 'Send a delivery again',
  description: `Sends the message again, at once, under the same \`webhook-id\` and with all ${retryDelaysSeconds.length + 1} tries before it, and enables the webhook if it was disabled.`,
  scope: 'webhooks:write',
  parameters: { path: DeliveryPath },
  answers: beingSent(redeliveries),
  failures: [noWebhook, noDelivery, tooManyTests],
  handler:
    ({ store: { deliveries } }) =>
    async ({ params: { webhookId, deliveryId } }) =>
      jsonResponse(toBody(await deliveries.redeliver(webhookId, deliveryId)), {}, 202),
});
