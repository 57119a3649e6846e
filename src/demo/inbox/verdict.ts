/**
 * Verifies a message with the library of Standard Webhooks, and not with the code that signs. The inbox is in the process of the service,
 * so it takes the secrets of the webhooks that have the URL at which the message has arrived. They are shown to nobody.
 */
import { Webhook } from 'standardwebhooks';
import { secretsInForce, type WebhookRecord } from '../../webhooks/webhook.ts';

export interface Verdict {
  /** The id of the webhook whose secret has signed the message. Omitted if the message is not verified. */
  readonly webhookId?: string;
  /** Why the message is not verified. */
  readonly reason?: string;
}

type Signed = Pick<WebhookRecord, 'id' | 'secrets'>;

/** `webhooks` have the URL of the message. `now` is by the wall clock, as that of the sender. */
export const judge = (webhooks: readonly Signed[], headers: Headers, body: Uint8Array, now: Date): Verdict => {
  if (webhooks.length === 0) return { reason: 'No webhook has this URL, so its secret is not known.' };
  const text = readText(body);
  if (text === undefined) return { reason: 'The body is not UTF-8.' };
  // The library would read the number at the start of the text.
  if (!/^\d+$/.test(headers.get('webhook-timestamp') ?? '0')) return { reason: 'The timestamp is not a number.' };
  const reasons = webhooks.map((webhook) => faultOf(webhook, headers, text, now));
  const place = reasons.indexOf(undefined);
  const verified = webhooks[place];
  return verified ? { webhookId: verified.id } : { reason: `${reasons[0]}.` };
};

/** The first reason of the library why no secret of the webhook has signed the message. Undefined if one has. */
const faultOf = (webhook: Signed, headers: Headers, body: string, now: Date): string | undefined => {
  const faults = secretsInForce(webhook, now).map((secret) => {
    try {
      new Webhook(secret).verify(body, Object.fromEntries(headers), { jsonParse: false });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : `${error}`;
    }
  });
  return faults.includes(undefined) ? undefined : faults[0];
};

/** Undefined for bytes that are not UTF-8. */
const readText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
