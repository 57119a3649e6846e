/** The messages of Standard Webhooks about events, without their POST. */
import { sign } from '../base/signature.ts';
import { eventIdOf, payloadOf, type Sequenced } from '../events/event.ts';
import type { PostRequest } from '../runtime/runtime.ts';
import { secretsInForce, type WebhookRecord } from '../webhooks/webhook.ts';

/** The URL is http or https. */
export type SignedRequest = Pick<PostRequest, 'headers' | 'body'> & { readonly url: string };

export interface Message extends SignedRequest {
  /** The `webhook-id`. */
  readonly id: string;
}

/**
 * Returns the event as a message, signed with every valid secret, and with the `traceparent` of its attempt, or of the request that caused the
 * event. Attempts differ only in that, in time and in signatures. `now` is by the wall clock, since the receiver compares it with its own clock.
 */
export type ToMessage = (webhook: WebhookRecord, event: Sequenced, now: Date, traceparent?: string) => Message;

/** What all messages about an event have. */
interface Content {
  readonly event: Sequenced;
  readonly id: string;
  readonly body: string;
}

/** The contents of the last events are kept, since several webhooks get an event at almost the same time. */
export const createToMessage = (): ToMessage => {
  const contents = new Array<Content | undefined>(2 ** slotBits).fill(undefined);

  const contentOf = (event: Sequenced): Content => {
    const slot = Number(BigInt.asUintN(slotBits, event.sequence));
    const existing = contents[slot];
    if (existing?.event === event) return existing;
    const body = payloadOf(event);
    const content = { event, id: eventIdOf(event, body), body };
    contents[slot] = content;
    return content;
  };

  return (webhook, event, now, traceparent = event.traceparent) => {
    const { id, body } = contentOf(event);
    const timestamp = Math.floor(now.getTime() / 1000);
    return {
      id,
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'plant-store',
        'webhook-id': id,
        'webhook-timestamp': `${timestamp}`,
        'webhook-signature': sign(secretsInForce(webhook, now), { id, timestamp, body }),
        ...(traceparent !== undefined && { traceparent }),
      },
      body,
    };
  };
};

/** Events have a slot by the end of their sequence. */
const slotBits = 8;
