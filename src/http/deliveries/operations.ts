import { Type } from '@sinclair/typebox';
import { toJsonPage } from '../../base/page.ts';
import { attemptsMax, testsPendingMax } from '../../domain/delivery.ts';
import { foreignCursor, noDelivery, noWebhook, tooManyTests } from '../../domain/error.ts';
import { eventIdOf } from '../../domain/event.ts';
import { type Operation, operation } from '../operation.ts';
import { invalidLimit, pageResponse } from '../paging.ts';
import { jsonResponse } from '../response.ts';
import type { Examples } from '../schema.ts';
import { WebhookPath } from '../webhooks/schemas.ts';
import { deliveryPages, redeliveries, tests } from './examples.ts';
import { Delivery, DeliveryListQuery, DeliveryPath, toBody } from './schemas.ts';

const beingSent = (examples: Examples): Operation['responses'] => ({
  202: { description: 'The pending delivery.', schema: Delivery, examples },
});

export const testWebhook = operation({
  route: 'POST /webhooks/{webhookId}/test',
  summary: 'Test a webhook',
  description: `Sends a \`webhook.test\` message to this webhook at once, and enables the webhook if it was disabled. At most ${testsPendingMax} tests of a webhook can be pending.`,
  scope: 'webhooks:write',
  parameters: { path: WebhookPath },
  responses: beingSent(tests),
  failures: [noWebhook, tooManyTests(testsPendingMax)],
  handler:
    ({ store: { deliveries } }) =>
    async ({ params: { webhookId } }) =>
      jsonResponse(toBody(await deliveries.test(webhookId)), {}, 202),
});

export const listDeliveries = operation({
  route: 'GET /webhooks/{webhookId}/deliveries',
  summary: 'List deliveries',
  description:
    'Lists the deliveries to the webhook, newest event first. A delivery is listed after its first attempt, and a test at once. It is removed together with its event.',
  scope: 'webhooks:read',
  parameters: { path: WebhookPath, query: DeliveryListQuery },
  responses: {
    200: {
      description: 'A page of deliveries.',
      headers: { Link: undefined },
      schema: Type.Array(Delivery),
      examples: deliveryPages,
    },
  },
  failures: [invalidLimit, foreignCursor, noWebhook],
  handler:
    ({ store: { deliveries } }) =>
    async ({ params: { webhookId }, query: { limit, after } }) =>
      pageResponse<string>({
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
  summary: 'Redeliver a message',
  description: `Sends the message again at once, with the same \`webhook-id\` and up to ${attemptsMax} new attempts, and enables the webhook if it was disabled.`,
  scope: 'webhooks:write',
  parameters: { path: DeliveryPath },
  responses: beingSent(redeliveries),
  failures: [noWebhook, noDelivery, tooManyTests(testsPendingMax)],
  handler:
    ({ store: { deliveries } }) =>
    async ({ params: { webhookId, deliveryId } }) =>
      jsonResponse(toBody(await deliveries.redeliver(webhookId, deliveryId)), {}, 202),
});
