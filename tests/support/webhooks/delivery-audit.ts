/** Compares the messages that receivers got with the log of a running service. */
import { Webhook } from 'standardwebhooks';
import type { Received } from './receiver.ts';

/** The payload of each event, by the id of the event. */
export type Payloads = ReadonlyMap<string, Payload>;

export interface Payload {
  readonly type: string;
}

/** The messages that a webhook must get. */
export interface Owed {
  readonly payloads: Payloads;
  readonly secret: string;
  /** How often the message of this event has to arrive: once more than it is refused. */
  readonly timesOwed: (id: string) => number;
}

export interface Audit {
  readonly messages: number;
  /** How many messages are missing. */
  readonly lost: number;
  /** The number of messages that differ from the log, or are not signed with the secret of the webhook. */
  readonly invented: number;
  /** The number of messages beyond the expected ones. */
  readonly duplicates: number;
}

/** Reads all of the log, oldest event first. */
export const readPayloads = async (url: string, headers: Readonly<Record<string, string>>): Promise<Payloads> => {
  const payloads = new Map<string, Payload>();
  for (let after = ''; ; ) {
    const response = await fetch(`${url}/events?limit=1000${after}`, { headers });
    const page: (Payload & { readonly eventId: string; readonly sequence: number })[] = JSON.parse(
      await response.text(),
    );
    for (const { eventId, sequence: _, ...payload } of page) payloads.set(eventId, payload);
    const last = page.at(-1);
    if (!last || !response.headers.has('link')) return payloads;
    after = `&after=${last.eventId}`;
  }
};

export const messageIdOf = ({ headers }: Received): string => headers['webhook-id'] ?? '';

export const countLost = (received: readonly Received[], { payloads, timesOwed }: Owed): number => {
  const counts = countById(received);
  return [...payloads.keys()].filter((id) => (counts.get(id) ?? 0) < timesOwed(id)).length;
};

export const auditDeliveries = (received: readonly Received[], owed: Owed): Audit => {
  const surplus = [...countById(received)].map(([id, count]) => Math.max(0, count - owed.timesOwed(id)));
  return {
    messages: received.length,
    lost: countLost(received, owed),
    invented: received.filter((one) => !isOwed(one, owed)).length,
    duplicates: surplus.reduce((sum, count) => sum + count, 0),
  };
};

const countById = (received: readonly Received[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const one of received) counts.set(messageIdOf(one), (counts.get(messageIdOf(one)) ?? 0) + 1);
  return counts;
};

const isOwed = (one: Received, { payloads, secret }: Owed): boolean => {
  const id = messageIdOf(one);
  // Signed anew by the independent library, since by now the message is too old for it to verify.
  const at = new Date(Number(one.headers['webhook-timestamp']) * 1000);
  const signature = new Webhook(secret).sign(id, at, one.body);
  return Bun.deepEquals(payloads.get(id), JSON.parse(one.body)) && one.headers['webhook-signature'] === signature;
};
