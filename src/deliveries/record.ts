import { keyTextOf } from '../events/event.ts';
import type { Health } from '../webhooks/webhook.ts';
import { type Delivery, type DeliveryChange, reconcile } from './delivery.ts';
import { healthAfter, isSameHealth } from './health.ts';

/** What the store has when attempts are recorded. */
interface Stored {
  /** The request of each delivery, by the index of its change. Undefined if there is no such delivery. */
  readonly requests: readonly ({ readonly requestedAt?: string | null } | undefined)[];
  /** Of the webhooks whose lease the process has, by their ids. Nothing is recorded for the others. */
  readonly healths: ReadonlyMap<string, Health>;
  /** The sequence of the oldest event in the log. */
  readonly oldest: bigint;
}

/** What to write: each delivery once, and the healths that change. */
interface RecordPlan {
  readonly deliveries: readonly Delivery[];
  readonly healths: ReadonlyMap<string, Health>;
}

/** Records attempts: see `DeliveryStore.record`. */
export const planRecord = (
  changes: readonly DeliveryChange[],
  { requests, healths: before, oldest }: Stored,
): RecordPlan => {
  const deliveries = new Map<string, Delivery>();
  const healths = new Map(before);
  for (const [index, change] of changes.entries()) {
    const health = healths.get(change.after.webhookId);
    const delivery = health && reconcile(requests[index], change, oldest);
    if (!delivery) continue;
    deliveries.set(`${delivery.webhookId} ${keyTextOf(delivery.event)}`, delivery);
    healths.set(delivery.webhookId, healthAfter(health, delivery));
  }
  for (const [id, health] of before) if (isSameHealth(health, healths.get(id) ?? health)) healths.delete(id);
  return { deliveries: [...deliveries.values()], healths };
};

/** The ids of the webhooks that a record is about. */
export const webhooksOf = (
  changes: readonly DeliveryChange[],
  positions: ReadonlyMap<string, bigint>,
): ReadonlySet<string> => new Set([...changes.map(({ after }) => after.webhookId), ...positions.keys()]);
