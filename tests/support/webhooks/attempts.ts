import type { Attempt, Delivery } from '../../../src/deliveries/delivery.ts';
import type { Epochs } from '../../../src/deliveries/store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { WebhookRecord } from '../../../src/webhooks/webhook.ts';

/** The epochs of webhooks for which no process has sent. */
export const neverLeased: Epochs = { get: () => 0n };

/** Records one attempt at each event that is new to the webhook, and its new position. */
export const attemptNew = async (
  { deliveries }: Store,
  { id, position }: Pick<WebhookRecord, 'id' | 'position'>,
  attempt: Attempt,
  nextAttemptAt?: string,
  epochs: Epochs = neverLeased,
): Promise<Delivery[]> => {
  const { events, readTo } = await deliveries.readUntried(id, position, 100);
  const changes = events.map((event) => {
    const before: Delivery = { webhookId: id, event, attempts: [], attemptsInRound: 0 };
    const after = {
      ...before,
      attempts: [attempt],
      attemptsInRound: 1,
      ...(nextAttemptAt !== undefined && { nextAttemptAt }),
    };
    return { before, after };
  });
  await deliveries.record(changes, new Map([[id, readTo]]), epochs);
  return changes.map(({ after }) => after);
};
