/** What the document says of the operations on webhooks and deliveries. */
import { retryDelaysSeconds } from '../domain/delivery.ts';
import { secretsMax, webhooksMax } from '../domain/webhook.ts';
import { DeliveryListQuery, DeliveryPath } from './delivery-schemas.ts';
import {
  bodyFailures,
  type Examples,
  failures,
  header,
  json,
  linksTo,
  needs,
  nextLink,
  noStore,
  parametersOf,
  readFailures,
  ref,
  writeFailures,
} from './openapi-parts.ts';
import { WebhookPath } from './webhook-schemas.ts';

const newWebhooks: Examples = {
  everything: { summary: 'Every event', value: { url: 'https://receiver.example.com/plants' } },
  some: {
    summary: 'Some events, and what it is for',
    value: {
      url: 'https://receiver.example.com/plants',
      events: ['plant.created', 'plant.deleted'],
      description: 'the shop window',
    },
  },
};

export const webhookPaths = {
  '/webhooks': {
    get: {
      operationId: 'listWebhooks',
      tags: ['webhooks'],
      summary: 'List webhooks',
      description: 'Lists all webhooks, oldest first, disabled ones too.',
      security: needs('webhooks:read'),
      responses: {
        200: { description: 'The webhooks.', content: json({ type: 'array', items: ref('Webhook') }) },
        ...failures(...readFailures),
      },
    },
    post: {
      operationId: 'createWebhook',
      tags: ['webhooks'],
      summary: 'Create a webhook',
      description: `Has every event from now on sent to a URL, signed by Standard Webhooks 1.0.0: at least once, in any order, and tried ${retryDelaysSeconds.length + 1} times over three days until the receiver answers with 2xx. There may be ${webhooksMax} webhooks.`,
      security: needs('webhooks:write'),
      requestBody: {
        description: 'Where to send, and what',
        required: true,
        content: json(ref('NewWebhook'), newWebhooks),
      },
      responses: {
        201: {
          description: 'The webhook, and its secret this once.',
          headers: { Location: header('The path of the webhook.', 'uri-reference'), 'Cache-Control': noStore },
          content: json(ref('WebhookWithSecret')),
          links: linksTo('webhookId', '$response.body#/id', {
            getWebhook: 'The webhook, without its secret.',
            testWebhook: 'Send it a test.',
            listDeliveries: 'What was sent to it.',
            rotateWebhook: 'Make a new secret.',
            deleteWebhook: 'Remove it.',
          }),
        },
        ...failures(...bodyFailures, ...writeFailures, 'too_many_webhooks'),
      },
      callbacks: { event: { '{$request.body#/url}': { $ref: '#/components/pathItems/Event' } } },
    },
  },
  '/webhooks/{webhookId}': {
    parameters: parametersOf('path', WebhookPath),
    get: {
      operationId: 'getWebhook',
      tags: ['webhooks'],
      summary: 'Get a webhook',
      description: 'Answers with the webhook, without its secret.',
      security: needs('webhooks:read'),
      responses: {
        200: { description: 'The webhook.', content: json(ref('Webhook')) },
        ...failures(...readFailures, 'not_found'),
      },
    },
    delete: {
      operationId: 'deleteWebhook',
      tags: ['webhooks'],
      summary: 'Remove a webhook',
      description: 'Sends nothing to it any more; attempts that are under way come to their end.',
      security: needs('webhooks:write'),
      responses: { 204: { description: 'The webhook is gone.' }, ...failures(...writeFailures, 'not_found') },
    },
  },
  '/webhooks/{webhookId}/rotate': {
    parameters: parametersOf('path', WebhookPath),
    post: {
      operationId: 'rotateWebhook',
      tags: ['webhooks'],
      summary: 'Rotate the secret',
      description: `Makes a new secret. For 24 hours every message is signed with the earlier one too, and with up to ${secretsMax - 1} of them when it is done again meanwhile.`,
      security: needs('webhooks:write'),
      responses: {
        200: {
          description: 'The webhook, and its new secret this once.',
          headers: { 'Cache-Control': noStore },
          content: json(ref('WebhookWithSecret')),
        },
        ...failures(...writeFailures, 'not_found'),
      },
    },
  },
  '/webhooks/{webhookId}/test': {
    parameters: parametersOf('path', WebhookPath),
    post: {
      operationId: 'testWebhook',
      tags: ['webhooks'],
      summary: 'Test a webhook',
      description: 'Sends a `webhook.test` to this webhook alone, at once, and enables the webhook if it was disabled.',
      security: needs('webhooks:write'),
      responses: {
        202: { description: 'The delivery, which is being sent.', content: json(ref('Delivery')) },
        ...failures(...writeFailures, 'not_found'),
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
          headers: { Link: nextLink },
          content: json({ type: 'array', items: ref('Delivery') }),
        },
        ...failures('invalid_query', 'invalid_cursor', ...readFailures, 'not_found'),
      },
    },
  },
  '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': {
    parameters: parametersOf('path', DeliveryPath),
    post: {
      operationId: 'redeliver',
      tags: ['webhooks'],
      summary: 'Send a delivery again',
      description:
        'Sends the message again, at once, under the same `webhook-id` and with all ten tries before it, and enables the webhook if it was disabled.',
      security: needs('webhooks:write'),
      responses: {
        202: { description: 'The delivery, which is being sent.', content: json(ref('Delivery')) },
        ...failures(...writeFailures, 'not_found'),
      },
    },
  },
};
