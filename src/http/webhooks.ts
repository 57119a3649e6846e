import { mintSecret } from '../base/signature.ts';
import { AppError } from '../domain/error.ts';
import { plantEventTypes } from '../domain/event.ts';
import { refusalOfUrl, type WebhookRecord } from '../domain/webhook.ts';
import { expectWebhook } from '../domain/webhook-change.ts';
import type { WebhookStore } from '../store/store.ts';
import { jsonResponse } from './response.ts';
import type { NewWebhookBody, WebhookPathParams } from './schemas/webhooks.ts';

export const createWebhook =
  (webhooks: WebhookStore, urlRules: { allowPrivate: boolean }) =>
  async ({
    body: { url, events = [...plantEventTypes], description, secret = mintSecret() },
  }: {
    body: NewWebhookBody;
  }): Promise<Response> => {
    const refusal = refusalOfUrl(url, urlRules);
    if (refusal !== undefined) throw new AppError('invalid_body', `/url ${refusal}.`);
    const record = await webhooks.create({ url, events, secret, ...(description !== undefined && { description }) });
    return jsonResponse({ ...toBody(record), secret }, { location: `/webhooks/${record.id}`, ...unkept }, 201);
  };

export const listWebhooks = (webhooks: WebhookStore) => async (): Promise<Response> =>
  jsonResponse((await webhooks.list()).map(toBody));

export const getWebhook =
  (webhooks: WebhookStore) =>
  async ({ params: { webhookId } }: { params: WebhookPathParams }): Promise<Response> => {
    return jsonResponse(toBody(expectWebhook(await webhooks.get(webhookId))));
  };

export const deleteWebhook =
  (webhooks: WebhookStore) =>
  async ({ params: { webhookId } }: { params: WebhookPathParams }): Promise<Response> => {
    await webhooks.delete(webhookId);
    return new Response(null, { status: 204 });
  };

export const rotateWebhook =
  (webhooks: WebhookStore) =>
  async ({ params: { webhookId } }: { params: WebhookPathParams }): Promise<Response> => {
    const secret = mintSecret();
    const record = await webhooks.rotate(webhookId, secret);
    return jsonResponse({ ...toBody(record), secret }, unkept);
  };

/** A secret is no matter for a cache. */
const unkept = { 'cache-control': 'no-store' };

const toBody = ({ id, url, events, description, createdAt, disabled, failingSince }: WebhookRecord) => ({
  id,
  url,
  events,
  description,
  createdAt,
  enabled: disabled === undefined,
  disabledAt: disabled?.at,
  disabledReason: disabled?.reason,
  failingSince,
});
