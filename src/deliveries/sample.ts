import type { Sequenced } from '../events/event.ts';
import { fernCreated, fernDeleted, fernUpdated } from '../events/sample.ts';
import { webhook } from '../webhooks/sample.ts';
import type { Delivery } from './delivery.ts';

const delivery = (event: Sequenced, attempt: Delivery['attempts'][number]): Delivery => ({
  webhookId: webhook.id,
  event,
  attempts: [attempt],
  attemptsInRound: 1,
});

export const fernCreatedDelivery = delivery(fernCreated, {
  at: '2026-05-01T09:31:00.021Z',
  durationMs: 12,
  status: 204,
});

export const fernUpdatedDelivery: Delivery = {
  ...delivery(fernUpdated, { at: '2026-05-01T09:32:00.018Z', durationMs: 15_000, failure: 'timeout' }),
  nextAttemptAt: '2026-05-01T09:32:20.132Z',
};

/** In the order of the log. */
export const deliveries: readonly Delivery[] = [
  fernCreatedDelivery,
  fernUpdatedDelivery,
  delivery(fernDeleted, { at: '2026-05-01T09:33:00.024Z', durationMs: 9, status: 204 }),
];
