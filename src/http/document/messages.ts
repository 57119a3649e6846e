/** The messages to webhooks in the document: requests of the service to the receivers. */
import { type TSchema, Type } from '@sinclair/typebox';
import { sign, toleranceSeconds } from '../../base/signature.ts';
import { attemptTimeoutMs, jitterMax, pauseMsMax, retryAfterMsMax, retryDelaysSeconds } from '../../domain/delivery.ts';
import { eventIdOf, payloadOf, type Sequenced } from '../../domain/event.ts';
import { fernCreated, fernDeleted, fernUpdated, firstTest, secret, traceparent } from '../../domain/fixture.ts';
import { messages } from '../events/examples.ts';
import { EventId, Message, PlantCreated, PlantDeleted, PlantUpdated, WebhookTest } from '../events/schemas.ts';
import type { Examples } from '../example.ts';
import { contentOf, parametersOf } from './parts.ts';

/** By Standard Webhooks 1.0.0 and W3C Trace Context. The examples are those of this event, and the signature is that of its message. */
const headersOf = (event: Sequenced) => {
  const id = eventIdOf(event);
  const timestamp = Date.parse(event.timestamp) / 1000;
  const body = payloadOf(event);
  return Type.Object({
    'webhook-id': {
      ...EventId,
      description: 'Names the message; the same over all tries, so that what came twice can be told.',
      examples: [id],
    },
    'webhook-timestamp': Type.Integer({
      format: 'int64',
      description: `When this try was made, in seconds since 1970. Refuse what is more than ${toleranceSeconds / 60} minutes off.`,
      examples: [timestamp],
    }),
    'webhook-signature': Type.String({
      pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
      description:
        '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the decoded secret as the key; one for each secret in force, separated by spaces.',
      examples: [sign([secret], { id, timestamp, body })],
    }),
    traceparent: Type.Optional(
      Type.String({
        pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$',
        description:
          'The trace of the request that caused the event (W3C Trace Context). Absent when the request had none, and was not traced.',
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
      description: `How long to wait: seconds or a date (RFC 9110 §10.2.3). This message waits for it, ${toWords(retryAfterMsMax / 1000)} at most; the others too, ${toWords(pauseMsMax / 1000)} at most.`,
      required: false,
      schema: { type: 'string' },
    },
  },
});

/** The receiver's answers, and what the service does then. */
const receiverResponses = {
  '2XX': { description: 'The message is taken.' },
  410: { description: 'The receiver wants no more: the webhook is disabled.' },
  429: later('Too many at once: it is tried again.'),
  503: later('Not now: it is tried again.'),
  default: {
    description: `Everything else, redirects too, and no answer within ${toWords(attemptTimeoutMs / 1000)}: it is tried again after ${retryDelaysSeconds.map(toWords).join(', ')}, each up to ${100 * jitterMax} % longer.`,
  },
};

const message = (
  operationId: string,
  summary: string,
  schema: TSchema,
  examples: Examples,
  event: Sequenced,
  to = 'each webhook that has asked for it',
) => ({
  post: {
    operationId,
    tags: ['messages'],
    summary,
    description: `Sent to ${to}, at least once and in any order. Answer with 2xx once it is kept, and check the signature before you believe it.`,
    security: [],
    parameters: parametersOf('header', headersOf(event)),
    requestBody: { description: 'What has happened', required: true, content: contentOf(schema, examples) },
    responses: receiverResponses,
  },
});

const { created, updated, deleted, test } = messages;
const theOne = 'the one webhook that it was asked for';

export const webhookMessages = {
  'plant.created': message('onPlantCreated', 'A plant was created', PlantCreated, { created }, fernCreated),
  'plant.updated': message('onPlantUpdated', 'A plant was changed', PlantUpdated, { updated }, fernUpdated),
  'plant.deleted': message('onPlantDeleted', 'A plant was removed', PlantDeleted, { deleted }, fernDeleted),
  'webhook.test': message('onWebhookTest', 'A test was asked for', WebhookTest, { test }, firstTest, theOne),
};

/** All of them as the callback of a webhook that was created. */
export const eventMessage = message(
  'onEvent',
  'Something has happened',
  Message,
  messages,
  fernCreated,
  'the webhook that was created',
);
