/** What the document says of webhooks: how they are managed, and what is sent to them. */
import {
  bodyFailures,
  failures,
  header,
  json,
  needs,
  nextLink,
  noStore,
  parametersOf,
  readFailures,
  ref,
  type SchemaName,
  writeFailures,
} from './openapi-parts.ts';
import { DeliveryListQuery, DeliveryPath, WebhookPath } from './webhook-schemas.ts';

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
      description:
        'Has every event from now on sent to a URL, signed by Standard Webhooks 1.0.0: at least once, in any order, and tried ten times over three days until the receiver answers with 2xx. There may be 100 webhooks.',
      security: needs('webhooks:write'),
      requestBody: { description: 'Where to send, and what', required: true, content: json(ref('NewWebhook')) },
      responses: {
        201: {
          description: 'The webhook, and its secret this once.',
          headers: { Location: header('The path of the webhook.', 'uri-reference'), 'Cache-Control': noStore },
          content: json(ref('WebhookWithSecret')),
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
      description:
        'Makes a new secret. For 24 hours every message is signed with the earlier one too, with up to three of them when it is done again meanwhile.',
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
        'Lists what was sent to the webhook, the newest event first. An event stands here once there was an attempt to send it, and for as long as the event is kept.',
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

/** The headers of Standard Webhooks 1.0.0. */
const messageHeaders = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Names the message; the same over all tries, so that what came twice can be told.',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this try was made, in seconds since 1970. Refuse what is more than five minutes off.',
    schema: { type: 'integer', format: 'int64' },
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the decoded secret as the key; one for each secret in force, separated by spaces.',
    schema: { type: 'string' },
  },
];

const later = (description: string) => ({
  description,
  headers: {
    'Retry-After': {
      ...header('How long to wait: seconds or a date (RFC 9110 §10.2.3); at most a day counts.'),
      required: false,
    },
  },
});

/** What a receiver may answer, and what comes of it. */
const receiverResponses = {
  '2XX': { description: 'The message is taken.' },
  410: { description: 'The receiver wants no more: the webhook is disabled.' },
  429: later('Too many at once: it is tried again, and the others wait too.'),
  503: later('Not now: it is tried again, and the others wait too.'),
  default: {
    description:
      'Everything else, redirects too, and no answer within 15 seconds: it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.',
  },
};

const message = (operationId: string, summary: string, schema: object) => ({
  post: {
    operationId,
    tags: ['webhooks'],
    summary,
    description:
      'Sent to each webhook that has asked for it, at least once and in any order. Answer with 2xx once it is kept, and check the signature before you believe it.',
    security: [],
    parameters: messageHeaders,
    requestBody: { description: 'What has happened', required: true, content: json(schema) },
    responses: receiverResponses,
  },
});

/** Each event as a webhook of the document. */
export const webhookMessages = {
  'plant.created': message('onPlantCreated', 'A plant was created', ref('PlantCreated')),
  'plant.updated': message('onPlantUpdated', 'A plant was changed', ref('PlantUpdated')),
  'plant.deleted': message('onPlantDeleted', 'A plant was removed', ref('PlantDeleted')),
  'webhook.test': message('onWebhookTest', 'A test was asked for', ref('WebhookTest')),
};

const payloads: SchemaName[] = ['PlantCreated', 'PlantUpdated', 'PlantDeleted', 'WebhookTest'];

/** All of them as the one callback of a webhook that was created. */
export const eventCallback = message('onEvent', 'Something has happened', { oneOf: payloads.map(ref) });
