/** The messages to webhooks in the document: requests that the service sends to the receivers. */
import { sign, toleranceSeconds } from '../base/signature.ts';
import {
  attemptTimeoutMs,
  jitterMax,
  pauseMsMax,
  retryAfterMsMax,
  retryDelaysSeconds,
} from '../deliveries/delivery.ts';
import { eventIdOf, payloadOf, type Sequenced } from '../events/event.ts';
import { messages } from '../events/examples.ts';
import { EventId, Message, PlantCreated, PlantDeleted, PlantUpdated, WebhookTest } from '../events/schemas.ts';
import { type Examples, type TSchema, t } from '../http/schema.ts';
import { fernCreated, fernDeleted, fernUpdated, firstTest, secret, traceparent } from '../sample-data.ts';
import { contentOf, parametersOf } from './parts.ts';

/** By Standard Webhooks 1.0.0 and W3C Trace Context. The examples belong to this event, so the signature is valid for its message. */
const headersOf = (event: Sequenced) => {
  const id = eventIdOf(event);
  const timestamp = Date.parse(event.timestamp) / 1000;
  const body = payloadOf(event);
  return t.Object({
    'webhook-id': {
      ...EventId,
      description:
        'Identifier of the message. It is the same for all attempts, so that receivers can detect duplicates.',
      examples: [id],
    },
    'webhook-timestamp': t.Integer({
      format: 'int64',
      description: `Time of this attempt, in seconds since the Unix epoch. Reject a message whose timestamp differs by more than ${toleranceSeconds / 60} minutes.`,
      examples: [timestamp],
    }),
    'webhook-signature': t.String({
      pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
      description:
        '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the decoded secret as the key. There is one signature for each valid secret, separated by spaces.',
      examples: [sign([secret], { id, timestamp, body })],
    }),
    traceparent: t.Optional(
      t.String({
        pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$',
        description:
          'The trace of the request that caused the event (W3C Trace Context). Absent if the request had no `traceparent` and was not traced.',
        examples: [traceparent],
      }),
    ),
  });
};

const toWords = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;

const later = (description: string) => ({
  description,
  headers: {
    'Retry-After': {
      description: `Time to wait: seconds or a date (RFC 9110 §10.2.3). This message waits at most ${toWords(retryAfterMsMax / 1000)}, and the other messages to the webhook at most ${toWords(pauseMsMax / 1000)}.`,
      required: false,
      schema: { type: 'string' },
    },
  },
});

const receiverResponses = {
  '2XX': { description: 'The message is accepted.' },
  410: { description: 'The receiver wants no more messages. The webhook is disabled.' },
  429: later('Too many messages. The message is retried.'),
  503: later('Not available. The message is retried.'),
  default: {
    description: `Any other status, including redirects. The message is retried after ${retryDelaysSeconds.map(toWords).join(', ')}, each up to ${100 * jitterMax} % longer. The same applies if there is no response within ${toWords(attemptTimeoutMs / 1000)}.`,
  },
};

const message = (
  operationId: string,
  summary: string,
  schema: TSchema,
  examples: Examples,
  event: Sequenced,
  to = 'each webhook that subscribes to it',
) => ({
  post: {
    operationId,
    tags: ['messages'],
    summary,
    description: `Sent to ${to}, at least once and in any order. Verify the signature first. Respond with 2xx once the message is stored, and with 401 if the signature is invalid.`,
    security: [],
    parameters: parametersOf('header', headersOf(event)),
    requestBody: { description: 'The event', required: true, content: contentOf(schema, examples) },
    responses: receiverResponses,
  },
});

const { created, updated, deleted, test } = messages;
const theOne = 'the webhook that the test was requested for';

export const webhookMessages = {
  'plant.created': message('onPlantCreated', 'A plant was created', PlantCreated, { created }, fernCreated),
  'plant.updated': message('onPlantUpdated', 'A plant was updated', PlantUpdated, { updated }, fernUpdated),
  'plant.deleted': message('onPlantDeleted', 'A plant was deleted', PlantDeleted, { deleted }, fernDeleted),
  'webhook.test': message('onWebhookTest', 'A test was requested', WebhookTest, { test }, firstTest, theOne),
};

/** All messages, as the callback of `createWebhook`. */
export const eventMessage = message('onEvent', 'An event occurred', Message, messages, fernCreated, 'the new webhook');
