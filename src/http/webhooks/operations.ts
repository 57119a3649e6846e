import { Type } from '@sinclair/typebox';
import { retryDelaysSeconds } from '../../domain/delivery.ts';
import { AppError, invalidUrl, noWebhook, tooManyWebhooks } from '../../domain/error.ts';
import { plantEventTypes } from '../../domain/event.ts';
import { refusalOfUrl, rotationMs, secretsMax, webhooksMax } from '../../domain/webhook.ts';
import { expectWebhook } from '../../domain/webhook-change.ts';
import { operation } from '../operation.ts';
import { jsonResponse } from '../response.ts';
import { createdWebhooks, newWebhooks, oneWebhook, rotatedWebhooks, webhookList } from './examples.ts';
import { toBody } from './representation.ts';
import { NewWebhook, Webhook, WebhookPath, WebhookWithSecret } from './schemas.ts';

export const listWebhooks = operation({
  route: 'GET /webhooks',
  summary: 'List webhooks',
  description: 'Lists all webhooks, oldest first, disabled ones too.',
  scope: 'webhooks:read',
  answers: {
    200: {
      description: 'The webhooks.',
      schema: Type.Array(Webhook),
      examples: webhookList,
    },
  },
  handler:
    ({ store: { webhooks } }) =>
    async () =>
      jsonResponse((await webhooks.list()).map(toBody)),
});

export const createWebhook = operation({
  route: 'POST /webhooks',
  summary: 'Create a webhook',
  description: `Has every event from now on sent to a URL, signed by Standard Webhooks 1.0.0: at least once, in any order, and tried ${retryDelaysSeconds.length + 1} times over three days until the receiver answers with 2xx. There may be ${webhooksMax} webhooks.`,
  scope: 'webhooks:write',
  body: {
    description: 'Where to send, and what',
    schema: NewWebhook,
    mediaTypes: ['application/json'],
    examples: newWebhooks,
    misfit: invalidUrl('must be an absolute URL, in ASCII and percent-encoded'),
  },
  answers: {
    201: {
      description: 'The webhook, and its secret this once.',
      headers: ['Location', 'Cache-Control'],
      schema: WebhookWithSecret,
      examples: createdWebhooks,
      links: {
        parameter: 'webhookId',
        expression: '$response.body#/id',
        operations: {
          getWebhook: 'The webhook, without its secret.',
          testWebhook: 'Send it a test.',
          listDeliveries: 'What was sent to it.',
          rotateWebhook: 'Make a new secret.',
          deleteWebhook: 'Remove it.',
        },
      },
    },
  },
  failures: [tooManyWebhooks],
  callbacks: { event: { '{$request.body#/url}': { $ref: '#/components/pathItems/Event' } } },
  handler:
    ({ store: { webhooks }, config: { webhookAllowPrivate: allowPrivate }, mint }) =>
    async ({ body: { url, events = [...plantEventTypes], description, secret = mint.secret() } }) => {
      const refusal = refusalOfUrl(url, { allowPrivate });
      if (refusal !== undefined) throw new AppError(invalidUrl(refusal));
      const id = mint.webhookId();
      const named = description !== undefined && { description };
      const record = await webhooks.create({ id, url, events, secret, ...named });
      return jsonResponse({ ...toBody(record), secret }, { location: `/webhooks/${record.id}`, ...unkept }, 201);
    },
});

export const getWebhook = operation({
  route: 'GET /webhooks/{webhookId}',
  summary: 'Get a webhook',
  description: 'Answers with the webhook, without its secret.',
  scope: 'webhooks:read',
  parameters: { path: WebhookPath },
  answers: {
    200: {
      description: 'The webhook.',
      schema: Webhook,
      examples: oneWebhook,
    },
  },
  failures: [noWebhook],
  handler:
    ({ store: { webhooks } }) =>
    async ({ params: { webhookId } }) =>
      jsonResponse(toBody(expectWebhook(await webhooks.get(webhookId)))),
});

export const deleteWebhook = operation({
  route: 'DELETE /webhooks/{webhookId}',
  summary: 'Remove a webhook',
  description: 'Sends nothing to it any more; attempts that are under way come to their end.',
  scope: 'webhooks:write',
  parameters: { path: WebhookPath },
  answers: { 204: { description: 'The webhook is gone.' } },
  failures: [noWebhook],
  handler:
    ({ store: { webhooks } }) =>
    async ({ params: { webhookId } }) => {
      await webhooks.delete(webhookId);
      return new Response(null, { status: 204 });
    },
});

export const rotateWebhook = operation({
  route: 'POST /webhooks/{webhookId}/rotate',
  summary: 'Rotate the secret',
  description: `Makes a new secret. For ${rotationMs / 3_600_000} hours every message is signed with the earlier one too, and with up to ${secretsMax - 1} of them when it is done again meanwhile.`,
  scope: 'webhooks:write',
  parameters: { path: WebhookPath },
  answers: {
    200: {
      description: 'The webhook, and its new secret this once.',
      headers: ['Cache-Control'],
      schema: WebhookWithSecret,
      examples: rotatedWebhooks,
    },
  },
  failures: [noWebhook],
  handler:
    ({ store: { webhooks }, mint }) =>
    async ({ params: { webhookId } }) => {
      const secret = mint.secret();
      const record = await webhooks.rotate(webhookId, secret);
      return jsonResponse({ ...toBody(record), secret }, unkept);
    },
});

/** Caches must not keep a secret. */
const unkept = { 'cache-control': 'no-store' };
