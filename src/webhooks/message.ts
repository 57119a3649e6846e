import { sign } from '../base/signature.ts';
import { eventIdOf, payloadOf, type Sequenced } from '../domain/event.ts';
import { secretsInForce, type WebhookRecord } from '../domain/webhook.ts';

/** A POST request to a receiver. */
export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The event as a message of Standard Webhooks, signed with every valid secret, and with the `traceparent` of the request that
 * caused it. Attempts differ only in time and signatures. `now` is by the wall clock, since the receiver compares it with its own clock.
 */
export const toMessage = (webhook: WebhookRecord, event: Sequenced, now: Date): Message => {
  const body = payloadOf(event);
  const id = eventIdOf(event, body);
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'plant-store',
      'webhook-id': id,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': sign(secretsInForce(webhook, now), { id, timestamp, body }),
      ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    },
    body,
  };
};
