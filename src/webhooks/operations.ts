import { noWebhook, tooManyWebhooks } from '../base/app-error.ts';
import type { InboxAddress } from '../base/inbox-address.ts';
import { plantEventTypes } from '../events/event.ts';
import { invalidMembers } from '../http/faults.ts';
import { operation } from '../http/operation.ts';
import { respond } from '../http/responder.ts';
import { jsonResponse } from '../http/response.ts';
import { t } from '../http/schema.ts';
import { demoTime } from '../plants/sample.ts';
import { roundInWords } from './retries.ts';
import { createDemoGenerators, secret, webhook } from './sample.ts';
import { NewWebhook, toWebhookBody, Webhook, WebhookPath, WebhookWithSecret } from './schemas.ts';
import type { WebhookStore } from './store.ts';
import type { Generators } from './webhook.ts';
import { expectWebhook, faultOfUrl, rotationMs, secretsMax, webhooksMax } from './webhook.ts';

const { url } = webhook;
const some = { events: ['plant.created', 'plant.deleted'], description: 'the shop window' } as const;

const newWebhooks = {
  everything: { summary: 'All events', value: { url } },
  some: { summary: 'Some events, a description, and a secret from the client', value: { url, ...some, secret } },
};

const generate = createDemoGenerators();
/** The webhook in the first example of a creation. */
const created = toWebhookBody({
  ...webhook,
  id: generate.webhookId(),
  events: plantEventTypes,
  createdAt: demoTime,
});
const newSecret = generate.secret();

const createdWebhooks = {
  everything: { summary: 'All events, listed by type', value: { ...created, secret: newSecret } },
  some: { summary: 'Some events, and the secret from the client', value: { ...created, ...some, secret } },
};

interface Needs {
  readonly webhooks: WebhookStore;
  readonly config: { readonly webhookAllowPrivate: boolean };
  readonly inbox?: InboxAddress | undefined;
  readonly generate: Generators;
}

export const listWebhooks = operation({
  route: 'GET /webhooks',
  summary: 'List webhooks',
  description: 'Lists all webhooks, oldest first, including disabled ones.',
  scope: 'webhooks:read',
  responses: {
    200: {
      description: 'The webhooks.',
      schema: t.Array(Webhook),
      examples: { some: { summary: 'One webhook for three types of events', value: [toWebhookBody(webhook)] } },
    },
  },
  handler:
    ({ webhooks }: Needs) =>
    async () =>
      respond([Buffer.from(JSON.stringify((await webhooks.list()).map(toWebhookBody)))], {
        'content-type': 'application/json',
      }),
});

/** Relative to the request, as that of a plant. */
const locationOf = ({ id }: { readonly id: string }): string => `webhooks/${id}`;

export const createWebhook = operation({
  route: 'POST /webhooks',
  summary: 'Create a webhook',
  description: `Subscribes a URL to new events. The service chooses the id, so each request creates another webhook, with the status 201. Messages are signed as Standard Webhooks 1.0.0 defines, and sent at least once, in any order, with up to ${roundInWords} until the receiver responds with 2xx. The maximum is ${webhooksMax} webhooks.`,
  scope: 'webhooks:write',
  body: {
    description: 'URL and event types of the webhook',
    schema: NewWebhook,
    mediaTypes: ['application/json'],
    examples: newWebhooks,
    failure: invalidMembers({ name: 'url', rule: 'must be an absolute URL, in ASCII and percent-encoded' }),
  },
  responses: {
    201: {
      description: 'The webhook with its secret. No later response contains the secret.',
      headers: { Location: locationOf(created), 'Cache-Control': 'no-store' },
      schema: WebhookWithSecret,
      examples: createdWebhooks,
      links: {
        parameter: 'webhookId',
        expression: '$response.body#/id',
        operations: ['getWebhook', 'testWebhook', 'listDeliveries', 'rotateWebhook', 'deleteWebhook'],
      },
    },
  },
  rules:
    ({ config: { webhookAllowPrivate: allowPrivate }, inbox }: Needs) =>
    ({ url }) => {
      const rule = typeof url === 'string' ? faultOfUrl(url, { allowPrivate, inbox }) : undefined;
      return rule === undefined ? [] : [{ name: 'url', rule }];
    },
  failures: [tooManyWebhooks(webhooksMax)],
  callbacks: { event: { '{$request.body#/url}': { $ref: '#/components/pathItems/Event' } } },
  handler:
    ({ webhooks, generate }: Needs) =>
    async ({ body: { url, events = [...plantEventTypes], description, secret = generate.secret() } }) => {
      const id = generate.webhookId();
      const named = description !== undefined && { description };
      const record = await webhooks.create({ id, url, events, secret, ...named });
      return jsonResponse({ ...toWebhookBody(record), secret }, { location: locationOf(record), ...noStore }, 201);
    },
});

export const getWebhook = operation({
  route: 'GET /webhooks/{webhookId}',
  summary: 'Get a webhook',
  description:
    'Returns the webhook, without its secret: only the responses to its creation and to a rotation have that.',
  scope: 'webhooks:read',
  parameters: { path: WebhookPath },
  responses: {
    200: {
      description: 'The webhook.',
      schema: Webhook,
      examples: { one: { summary: 'A webhook for three types of events', value: toWebhookBody(webhook) } },
    },
  },
  failures: [noWebhook],
  handler:
    ({ webhooks }: Needs) =>
    async ({ params: { webhookId } }) =>
      jsonResponse(toWebhookBody(expectWebhook(await webhooks.get(webhookId)))),
});

export const deleteWebhook = operation({
  route: 'DELETE /webhooks/{webhookId}',
  summary: 'Delete a webhook',
  description: 'Deletes the webhook. Pending messages are not sent; attempts in progress are completed.',
  scope: 'webhooks:write',
  parameters: { path: WebhookPath },
  responses: { 204: { description: 'The webhook is deleted.' } },
  failures: [noWebhook],
  handler:
    ({ webhooks }: Needs) =>
    async ({ params: { webhookId } }) => {
      await webhooks.delete(webhookId);
      return new Response(null, { status: 204 });
    },
});

export const rotateWebhook = operation({
  route: 'POST /webhooks/{webhookId}/rotate',
  summary: 'Rotate the secret',
  description: `Creates a new secret, which only this response has. For ${rotationMs / 3_600_000} hours, messages are also signed with the previous secret. After several rotations in this time, up to ${secretsMax - 1} previous secrets sign.`,
  scope: 'webhooks:write',
  parameters: { path: WebhookPath },
  responses: {
    200: {
      description: 'The webhook with its new secret. No later response contains the secret.',
      headers: { 'Cache-Control': 'no-store' },
      schema: WebhookWithSecret,
      examples: { rotated: { summary: 'A new secret', value: { ...toWebhookBody(webhook), secret: newSecret } } },
    },
  },
  failures: [noWebhook],
  handler:
    ({ webhooks, generate }: Needs) =>
    async ({ params: { webhookId } }) => {
      const secret = generate.secret();
      const record = await webhooks.rotate(webhookId, secret);
      return jsonResponse({ ...toWebhookBody(record), secret }, noStore);
    },
});

/** Caches must not store a secret. */
const noStore = { 'cache-control': 'no-store' };
