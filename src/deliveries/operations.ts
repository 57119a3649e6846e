import { foreignCursor, noDelivery, noWebhook, tooManyTests } from '../base/app-error.ts';
import { toJsonPage } from '../base/page.ts';
import { eventIdOf } from '../events/event.ts';
import { firstTest } from '../events/sample.ts';
import { faultOf, invalidParameters } from '../http/faults.ts';
import { isTrue } from '../http/kinds.ts';
import { operation } from '../http/operation.ts';
import { invalidCount, invalidLimit, pageResponse } from '../http/paging.ts';
import { jsonResponse } from '../http/response.ts';
import { t } from '../http/schema.ts';
import { demoTime } from '../plants/sample.ts';
import { attemptsMax } from '../webhooks/retries.ts';
import { webhook } from '../webhooks/sample.ts';
import { WebhookPath } from '../webhooks/schemas.ts';
import type * as domain from './delivery.ts';
import { newDelivery, request, testMessagesPendingMax } from './delivery.ts';
import { cursorOf, expectDeliveryPlace, placeOf } from './place.ts';
import { deliveries, fernCreatedDelivery, fernUpdatedDelivery } from './sample.ts';
import { Delivery, DeliveryListQuery, DeliveryPath, StateQuery, toDeliveryBody } from './schemas.ts';
import type { DeliveryStore } from './store.ts';

/** A delivery can have many attempts, each with a text. */
const rowsOfDelivery = 50;

/** The response to a request for this delivery, with an example of this name. */
const accepted = (name: string, summary: string, delivery: domain.Delivery) => ({
  202: {
    description: 'The pending delivery.',
    schema: Delivery,
    examples: { [name]: { summary, value: toDeliveryBody(request(delivery, new Date(demoTime))) } },
  },
});

interface Needs {
  readonly deliveries: DeliveryStore;
}

export const testWebhook = operation({
  route: 'POST /webhooks/{webhookId}/test',
  summary: 'Test a webhook',
  description: `Sends a \`webhook.test\` message to this webhook at once, and enables the webhook if it was disabled. The status is 202, since the response does not wait for the receiver: \`listDeliveries\` shows the result. At most ${testMessagesPendingMax} tests of a webhook can be pending.`,
  scope: 'webhooks:write',
  parameters: { path: WebhookPath },
  responses: accepted('test', 'A pending test', newDelivery(webhook.id, firstTest)),
  failures: [noWebhook, tooManyTests(testMessagesPendingMax)],
  handler:
    ({ deliveries }: Needs) =>
    async ({ params: { webhookId } }) =>
      jsonResponse(toDeliveryBody(await deliveries.createTestMessage(webhookId)), {}, 202),
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
      schema: t.Array(Delivery),
      examples: {
        some: {
          summary: 'A pending delivery after a failed attempt, between two successful ones',
          value: deliveries.map(toDeliveryBody).toReversed(),
        },
      },
    },
  },
  failures: [invalidLimit, foreignCursor, noWebhook],
  handler:
    ({ deliveries }: Needs) =>
    async ({ request, params: { webhookId }, query: { limit, after } }) =>
      pageResponse({
        request,
        query: { limit, after },
        list: async (count, cursor) =>
          toJsonPage(await deliveries.list(webhookId, { limit: count + 1, after: cursor }), count, {
            toJson: (delivery) => JSON.stringify(toDeliveryBody(delivery)),
            keyOf: ({ event }) => eventIdOf(event),
          }),
        rowsOfItem: rowsOfDelivery,
      }),
});

export const listDeliveriesByState = operation({
  route: 'GET /deliveries',
  summary: 'List deliveries by state',
  description:
    'Lists the deliveries in this state to all webhooks, newest event first. Links stay valid while the states of deliveries change. Deliveries to a webhook that was deleted are listed until they are removed with their events.',
  scope: 'webhooks:read',
  parameters: { query: StateQuery },
  responses: {
    200: {
      description: 'A page of deliveries.',
      headers: { Link: undefined, 'X-Total-Count': undefined },
      schema: t.Array(Delivery),
      examples: {
        pending: {
          summary: 'A pending delivery after a failed attempt',
          value: [fernUpdatedDelivery].map(toDeliveryBody),
        },
      },
    },
  },
  failures: [invalidLimit, invalidParameters(faultOf(StateQuery, 'state')), invalidCount, foreignCursor],
  handler:
    ({ deliveries }: Needs) =>
    async ({ request, query: { state, limit, after, count } }) =>
      pageResponse({
        request,
        query: { state, limit, after },
        list: async (items, cursor) =>
          toJsonPage(
            await deliveries.listByState(state, {
              limit: items + 1,
              after: cursor === undefined ? cursor : expectDeliveryPlace(cursor),
            }),
            items,
            {
              toJson: (delivery) => JSON.stringify(toDeliveryBody(delivery)),
              keyOf: (delivery) => cursorOf(placeOf(delivery)),
            },
          ),
        rowsOfItem: rowsOfDelivery,
        count: isTrue(count) ? (max) => deliveries.countByState(state, max) : undefined,
      }),
});

export const redeliver = operation({
  route: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  summary: 'Redeliver a message',
  description: `Sends the message again at once, with the same \`webhook-id\` and up to ${attemptsMax} new attempts, and enables the webhook if it was disabled. The status is 202, since the response does not wait for the receiver.`,
  scope: 'webhooks:write',
  parameters: { path: DeliveryPath },
  responses: accepted('again', 'A pending redelivery', fernCreatedDelivery),
  failures: [noWebhook, noDelivery, tooManyTests(testMessagesPendingMax)],
  handler:
    ({ deliveries }: Needs) =>
    async ({ params: { webhookId, deliveryId } }) =>
      jsonResponse(toDeliveryBody(await deliveries.redeliver(webhookId, deliveryId)), {}, 202),
});
