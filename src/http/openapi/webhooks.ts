/** What the document says of the operations on webhooks. */

import { retryDelaysSeconds } from '../../domain/delivery.ts';
import { rotationMs, secretsMax, webhooksMax } from '../../domain/webhook.ts';
import { noWebhook, tooManyWebhooks } from '../../domain/webhook-change.ts';
import { ref } from '../schemas/shape.ts';
import { NewWebhook, Webhook, WebhookPath, WebhookWithSecret } from '../schemas/webhooks.ts';
import { failureResponses, reading, takingBody, writing } from './failures.ts';
import { headersOf } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { type Examples, json, linksTo, listOf, needs } from './parts.ts';

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
  ownSecret: {
    summary: 'A secret that you have chosen',
    value: { url: 'https://receiver.example.com/plants', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
};

const webhook = {
  id: 'wh_0aB1cD2eF3gH4i',
  url: 'https://receiver.example.com/plants',
  events: ['plant.created', 'plant.updated', 'plant.deleted'],
  createdAt: '2026-05-01T09:30:00.000Z',
  enabled: true,
};

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const createdWebhooks: Examples = {
  everything: { summary: 'Every event, named', value: { ...webhook, secret } },
  some: {
    summary: 'Some events, and what it is for',
    value: { ...webhook, events: ['plant.created', 'plant.deleted'], description: 'the shop window', secret },
  },
  ownSecret: { summary: 'The secret that was given', value: { ...webhook, secret } },
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
        200: {
          description: 'The webhooks.',
          content: json(listOf(Webhook), { some: { summary: 'One of all events', value: [webhook] } }),
        },
        ...failureResponses(...reading('webhooks:read')),
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
        content: json(ref(NewWebhook), newWebhooks),
      },
      responses: {
        201: {
          description: 'The webhook, and its secret this once.',
          headers: headersOf('Location', 'Cache-Control'),
          content: json(ref(WebhookWithSecret), createdWebhooks),
          links: linksTo('webhookId', '$response.body#/id', {
            getWebhook: 'The webhook, without its secret.',
            testWebhook: 'Send it a test.',
            listDeliveries: 'What was sent to it.',
            rotateWebhook: 'Make a new secret.',
            deleteWebhook: 'Remove it.',
          }),
        },
        ...failureResponses(
          ...takingBody('application/json'),
          ['invalid_body', '/url must be an https URL.'],
          ...writing('webhooks:write'),
          tooManyWebhooks,
        ),
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
        200: {
          description: 'The webhook.',
          content: json(ref(Webhook), { one: { summary: 'A webhook of all events', value: webhook } }),
        },
        ...failureResponses(...reading('webhooks:read'), noWebhook),
      },
    },
    delete: {
      operationId: 'deleteWebhook',
      tags: ['webhooks'],
      summary: 'Remove a webhook',
      description: 'Sends nothing to it any more; attempts that are under way come to their end.',
      security: needs('webhooks:write'),
      responses: {
        204: { description: 'The webhook is gone.' },
        ...failureResponses(...writing('webhooks:write'), noWebhook),
      },
    },
  },
  '/webhooks/{webhookId}/rotate': {
    parameters: parametersOf('path', WebhookPath),
    post: {
      operationId: 'rotateWebhook',
      tags: ['webhooks'],
      summary: 'Rotate the secret',
      description: `Makes a new secret. For ${rotationMs / 3_600_000} hours every message is signed with the earlier one too, and with up to ${secretsMax - 1} of them when it is done again meanwhile.`,
      security: needs('webhooks:write'),
      responses: {
        200: {
          description: 'The webhook, and its new secret this once.',
          headers: headersOf('Cache-Control'),
          content: json(ref(WebhookWithSecret), {
            rotated: { summary: 'A new secret', value: { ...webhook, secret } },
          }),
        },
        ...failureResponses(...writing('webhooks:write'), noWebhook),
      },
    },
  },
};
