import { expect, test } from 'bun:test';
import { eventIdOf, type Sequenced } from '../../src/events/event.ts';
import { toMessage } from '../../src/sender/attempt.ts';
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

test('a message has the traceparent of its event, if the event has one', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const now = new Date(1_800_000_000_000);
  const plain = toMessage(webhook, event, now);
  expect(plain.headers).not.toContainKey('traceparent');
  expect(toMessage(webhook, { ...event, traceparent }, now)).toEqual({
    ...plain,
    headers: { ...plain.headers, traceparent },
  });
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
