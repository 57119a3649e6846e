import { expect, test } from 'bun:test';
import { eventIdOf, type Sequenced } from '../../src/events/event.ts';
import { createToMessage } from '../../src/sender/message.ts';
import type { WebhookRecord } from '../../src/webhooks/webhook.ts';

const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();
const event: Sequenced = { sequence: 7n, type: 'plant.created', timestamp: at(1), id: 5n, name: 'n' };
const webhook: WebhookRecord = {
  id: 'wh_1',
  url: 'https://example.com/',
  events: [],
  createdAt: at(1),
  position: 0n,
  secrets: [{ text: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
};

const toMessage = createToMessage();

test('a message has the traceparent of its attempt or its event, if there is one', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const now = new Date(1_800_000_000_000);
  const plain = toMessage(webhook, event, now);
  expect(plain.headers).not.toContainKey('traceparent');
  const traced = { ...plain, headers: { ...plain.headers, traceparent } };
  expect(toMessage(webhook, { ...event, traceparent }, now)).toEqual(traced);
  expect(toMessage(webhook, { ...event, traceparent: 'of its event' }, now, traceparent)).toEqual(traced);
});

test('a message has its headers, and its time is rounded down to seconds', () => {
  const { headers, body } = toMessage(webhook, event, new Date(1_800_000_000_999));
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'plant-store',
    'webhook-id': eventIdOf(event),
    'webhook-timestamp': '1800000000',
  });
  expect(body).toBe(`{"type":"plant.created","timestamp":"${at(1)}","id":5,"name":"n"}`);
});

test('messages about many events are each about their own', () => {
  const events = Array.from({ length: 600 }, (_, index) => ({
    ...event,
    sequence: BigInt(index + 1),
    name: `${index}`,
  }));
  for (const one of [...events, ...events.toReversed()]) {
    const { id, body } = toMessage(webhook, one, new Date());
    expect(id).toBe(eventIdOf(one));
    expect(JSON.parse(body)).toMatchObject({ name: one.name });
  }
});

test('another event with the sequence of an earlier one has its own message', () => {
  const other = { ...event, name: 'other' };
  expect(toMessage(webhook, event, new Date()).id).toBe(eventIdOf(event));
  expect(toMessage(webhook, other, new Date()).id).toBe(eventIdOf(other));
});
