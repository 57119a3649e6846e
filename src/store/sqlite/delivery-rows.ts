/** What the two tables of deliveries share: that of the events of the log, and that of tests. */
import { and, asc, getTableColumns, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { deliveries, type webhookTests } from '../../../db/sqlite.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { EventPlace } from '../../domain/event.ts';
import type { DueRange } from '../store.ts';
import { placeholdersOf } from './columns.ts';

export interface DeliveryTable {
  find(webhookId: string, place: EventPlace): Delivery | undefined;
  /** At most so many of those before the place, the newest first. */
  page(webhookId: string, before: EventPlace, limit: number): Delivery[];
  /** At most `limit` of the deliveries that are due for this reason. */
  due(reason: DueReason, values: DueRange & { readonly webhookId: string }): Delivery[];
  put(delivery: Delivery): void;
}

export type DueReason = keyof ReturnType<typeof prepareDueQueries>;

type Columns = Omit<typeof deliveries.$inferSelect, 'sequence'>;

/**
 * The statements that find deliveries of the webhook `webhookId` which are due. `select` prepares one that selects the rows
 * under a condition, in this order, up to a limit.
 */
export const prepareDueQueries = <Query>(
  table: typeof deliveries | typeof webhookTests,
  select: (condition: SQL | undefined, order: SQL) => Query,
) => {
  const { requestedAt, nextAttemptAt } = table;
  const isScheduled = isNull(requestedAt);
  return {
    /** Those that are requested, the oldest request first. */
    requested: select(isNotNull(requestedAt), asc(requestedAt)),
    /** The others that are due at `now`, the longest due first. */
    scheduled: select(and(isScheduled, lte(nextAttemptAt, sql.placeholder('now'))), asc(nextAttemptAt)),
    /** Those that are due only after `latest`, which no schedule is: the clock was set back. */
    scheduledAfter: select(and(isScheduled, gt(nextAttemptAt, sql.placeholder('latest'))), asc(nextAttemptAt)),
  };
};

/** What both tables have of a delivery. */
export const toDelivery = (
  { webhookId, attempts, tries, nextAttemptAt, requestedAt }: Columns,
  event: Delivery['event'],
): Delivery => ({
  webhookId,
  event,
  attempts,
  attemptsInRound: Number(tries),
  ...(nextAttemptAt !== null && { nextAttemptAt }),
  ...(requestedAt !== null && { requestedAt }),
});

const { webhookId: _, sequence: __, ...changeable } = getTableColumns(deliveries);

/** Placeholders for what an attempt or a request changes, as `toColumns` gives it. */
export const changedColumns = placeholdersOf(changeable);

export const toColumns = ({ webhookId, attempts, attemptsInRound, nextAttemptAt, requestedAt }: Delivery) => ({
  webhookId,
  attempts: JSON.stringify(attempts),
  tries: BigInt(attemptsInRound),
  nextAttemptAt: nextAttemptAt ?? null,
  requestedAt: requestedAt ?? null,
});
