import type { Attempt, Delivery } from '../../domain/delivery.ts';
import type { Sequenced, WebhookTest } from '../../domain/event.ts';

/** The common columns of `deliveries` and `webhook_tests`. */
export interface DeliveryRow {
  readonly webhookId: string;
  readonly attempts: readonly Attempt[];
  readonly attemptsInRound: bigint;
  readonly nextAttemptAt: string | null;
  readonly requestedAt: string | null;
}

export const toDelivery = (
  { webhookId, attempts, attemptsInRound, nextAttemptAt, requestedAt }: DeliveryRow,
  event: Delivery['event'],
): Delivery => ({
  webhookId,
  event,
  attempts,
  attemptsInRound: Number(attemptsInRound),
  ...(nextAttemptAt !== null && { nextAttemptAt }),
  ...(requestedAt !== null && { requestedAt }),
});

export const toDeliveryRow = ({
  webhookId,
  attempts,
  attemptsInRound,
  nextAttemptAt,
  requestedAt,
}: Delivery): DeliveryRow => ({
  webhookId,
  attempts,
  attemptsInRound: BigInt(attemptsInRound),
  nextAttemptAt: nextAttemptAt ?? null,
  requestedAt: requestedAt ?? null,
});

/** A row of `webhook_tests`. */
export interface TestRow extends DeliveryRow, Pick<WebhookTest, 'number' | 'timestamp'> {
  readonly sequence: bigint;
}

export const toTest = ({ sequence, number, timestamp }: TestRow): Sequenced<WebhookTest> => ({
  sequence,
  number,
  type: 'webhook.test',
  timestamp,
});

export const toTestDelivery = (row: TestRow): Delivery => toDelivery(row, toTest(row));
