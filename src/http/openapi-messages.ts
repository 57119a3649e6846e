/** What the document says of the messages that are sent to webhooks, which are requests of ours to the receivers. */
import { retryDelaysSeconds } from '../domain/delivery.ts';
import { json, optionalHeader, ref, type SchemaName } from './openapi-parts.ts';

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
    'Retry-After': optionalHeader(
      'How long to wait: seconds or a date (RFC 9110 §10.2.3). At most a day counts for this message, and a quarter of an hour for the others.',
    ),
  },
});

const toWords = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;

/** What a receiver may answer, and what comes of it. */
const receiverResponses = {
  '2XX': { description: 'The message is taken.' },
  410: { description: 'The receiver wants no more: the webhook is disabled.' },
  429: later('Too many at once: it is tried again, and the others wait too.'),
  503: later('Not now: it is tried again, and the others wait too.'),
  default: {
    description: `Everything else, redirects too, and no answer within 15 seconds: it is tried again after ${retryDelaysSeconds.map(toWords).join(', ')}, each up to a tenth longer.`,
  },
};

const message = (operationId: string, summary: string, to: string, schema: object) => ({
  post: {
    operationId,
    tags: ['webhooks'],
    summary,
    description: `Sent to ${to}, at least once and in any order. Answer with 2xx once it is kept, and check the signature before you believe it.`,
    security: [],
    parameters: messageHeaders,
    requestBody: { description: 'What has happened', required: true, content: json(schema) },
    responses: receiverResponses,
  },
});

const subscribers = 'each webhook that has asked for it';

/** Each event as a webhook of the document. */
export const webhookMessages = {
  'plant.created': message('onPlantCreated', 'A plant was created', subscribers, ref('PlantCreated')),
  'plant.updated': message('onPlantUpdated', 'A plant was changed', subscribers, ref('PlantUpdated')),
  'plant.deleted': message('onPlantDeleted', 'A plant was removed', subscribers, ref('PlantDeleted')),
  'webhook.test': message(
    'onWebhookTest',
    'A test was asked for',
    'the one webhook that it was asked for',
    ref('WebhookTest'),
  ),
};

const payloads: SchemaName[] = ['PlantCreated', 'PlantUpdated', 'PlantDeleted', 'WebhookTest'];

/** All of them as the one callback of a webhook that was created. */
export const eventCallback = message('onEvent', 'Something has happened', 'the webhook that was created', {
  oneOf: payloads.map(ref),
});
