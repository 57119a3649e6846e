/** The messages to webhooks in the document: requests that the service sends to the receivers. */
import { attemptTimeoutMs, pauseMsMax, retryAfterMsMax } from '../deliveries/delivery.ts';
import { messages } from '../events/examples.ts';
import {
  Message,
  PlantCreated,
  PlantDeleted,
  PlantPictureDeleted,
  PlantPictureUpdated,
  PlantUpdated,
  WebhookTest,
} from '../events/schemas.ts';
import type { Examples, TSchema } from '../http/schema.ts';
import { MessageHeaders } from '../webhooks/message-headers.ts';
import { jitterMax, retryDelaysSeconds } from '../webhooks/retries.ts';
import { contentOf, type Parameter, parametersOf, toParameters } from './parts.ts';

const toWords = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;

/** What the service does after each response of a receiver. */
export const receiverResponses = {
  MessageAccepted: { description: 'The message is accepted.' },
  WebhookDisabled: { description: 'The receiver wants no more messages. The webhook is disabled.' },
  MessageDeferred: {
    description: 'The receiver does not accept the message now. The message is retried.',
    headers: {
      'Retry-After': {
        description: `Time to wait: seconds or a date (RFC 9110 §10.2.3). This message waits at most ${toWords(retryAfterMsMax / 1000)}, and the other messages to the webhook at most ${toWords(pauseMsMax / 1000)}.`,
        schema: { type: 'string' },
      },
    },
  },
  MessageFailed: {
    description: `Any other status, including redirects. The message is retried after ${retryDelaysSeconds.map(toWords).join(', ')}, each up to ${100 * jitterMax} % longer. The same applies if there is no response within ${toWords(attemptTimeoutMs / 1000)}.`,
  },
};

const refer = (name: keyof typeof receiverResponses) => ({ $ref: `#/components/responses/${name}` });

interface MessageParts {
  readonly operationId: string;
  readonly summary: string;
  readonly schema: TSchema;
  readonly examples: Examples;
  readonly description?: string;
  readonly parameters?: object[];
}

const message = ({
  operationId,
  summary,
  schema,
  examples,
  description = 'Sent to each webhook that subscribes to it.',
  parameters = parametersOf('header', MessageHeaders),
}: MessageParts) => ({
  post: {
    tags: ['messages'],
    summary,
    description,
    operationId,
    parameters,
    requestBody: { content: contentOf(schema, examples), required: true },
    responses: {
      '2XX': refer('MessageAccepted'),
      410: refer('WebhookDisabled'),
      429: refer('MessageDeferred'),
      503: refer('MessageDeferred'),
      default: refer('MessageFailed'),
    },
    security: [],
  },
});

const { created, updated, deleted, pictured, unpictured, test } = messages;

export const webhookMessages = {
  'plant.created': message({
    operationId: 'onPlantCreated',
    summary: 'A plant was created',
    schema: PlantCreated,
    examples: { created },
  }),
  'plant.updated': message({
    operationId: 'onPlantUpdated',
    summary: 'A plant was updated',
    schema: PlantUpdated,
    examples: { updated },
  }),
  'plant.deleted': message({
    operationId: 'onPlantDeleted',
    summary: 'A plant was deleted',
    schema: PlantDeleted,
    examples: { deleted },
  }),
  'plant.picture.updated': message({
    operationId: 'onPlantPictureUpdated',
    summary: 'A plant has a new picture',
    schema: PlantPictureUpdated,
    examples: { pictured },
  }),
  'plant.picture.deleted': message({
    operationId: 'onPlantPictureDeleted',
    summary: 'The picture of a plant was deleted',
    schema: PlantPictureDeleted,
    examples: { unpictured },
  }),
  'webhook.test': message({
    operationId: 'onWebhookTest',
    summary: 'A test was requested',
    schema: WebhookTest,
    examples: { test },
    description: 'Sent to the webhook that the test was requested for.',
  }),
};

/** A header of the callback has the beginning of its description, and the example of the message that the callback shows. */
const shorten = (parameter: Parameter) => {
  const { description, examples } = parameter;
  const { created } = examples;
  return {
    ...parameter,
    description: /^.*?\.(?= |$)/.exec(`${description}`)?.[0],
    examples: created ? { created } : examples,
  };
};

/**
 * All messages, as the callback of `createWebhook`. Its parameters are not references: the Java parser of OpenAPI, on which many tools are built,
 * takes references in a shared path item for duplicates.
 */
export const eventMessage = message({
  operationId: 'onEvent',
  summary: 'An event occurred',
  schema: Message,
  examples: { created },
  description: 'Sent to the new webhook, with the headers and the bodies that `webhooks` describes.',
  parameters: toParameters('header', MessageHeaders).map(shorten),
});
