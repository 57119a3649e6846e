import { and, eq, gt, isNotNull, isNull, lte, min, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '../../../db/sqlite.ts';
import { prunableSequences } from '../../domain/event.ts';
import type { SqliteClient } from '../../runtime/runtime.ts';
import type { LogQueries } from './events.ts';
import { builder, fieldsOf, prepare } from './statement.ts';

/** Implements `EventStore.prune` in a transaction. */
export const preparePruning = (
  client: SqliteClient,
  { events: { oldest, newest }, deliveries: { removeSettledTestMessages } }: LogQueries,
) => {
  const { enabled, firstPending, nextWebhook, removeDeliveries, removeEvents } = prepareQueries(client);

  /**
   * Deliveries are removed webhook by webhook, by their primary key: an index by event would cost every delivery. The ids are
   * those of the deliveries, since some webhooks have been deleted.
   */
  const removeUpTo = (last: bigint): void => {
    const nextId = (after: string) => nextWebhook.all({ after })[0]?.id;
    for (let id = nextId(''); id; id = nextId(id)) removeDeliveries.run({ id, last });
    removeEvents.run({ last });
  };

  return (before: string, limit: number): number => {
    const removedTestMessages = removeSettledTestMessages(before, limit);
    const kept = newest.all()[0]?.sequence;
    const rows = oldest.all({ limit: limit - removedTestMessages });
    const upTo = rows.findLast(({ timestamp }) => timestamp < before)?.sequence;
    if (upTo === undefined) return removedTestMessages;
    const present = enabled.all();
    const positions = present.map((webhook) => webhook.position);
    const pending = present.flatMap(({ id }) => firstPending.all({ id, last: upTo })[0]?.sequence ?? []);
    const removed = prunableSequences(rows, { since: before, newest: kept, positions, pending });
    const last = removed.at(-1);
    if (last !== undefined) removeUpTo(last);
    return removedTestMessages + removed.length;
  };
};

const prepareQueries = (client: SqliteClient) => {
  const { webhookId, sequence, number, nextAttemptAt } = deliveries;
  const { id, position, disabledAt } = webhooks;
  const last = sql.placeholder('last');
  // The deliveries of events of the log: a test message is pruned by its own age.
  const isUpTo = and(eq(webhookId, sql.placeholder('id')), lte(sequence, last), eq(number, 0n));
  return {
    enabled: prepare<void, { id: string; position: bigint }>(
      client,
      builder.select(fieldsOf({ id, position })).from(webhooks).where(isNull(disabledAt)),
    ),
    firstPending: prepare<{ id: string; last: bigint }, { sequence: bigint | null }>(
      client,
      builder
        .select({ sequence: min(sequence).as('sequence') })
        .from(deliveries)
        .where(and(isUpTo, isNotNull(nextAttemptAt))),
    ),
    /** The first id of a webhook with deliveries after another id. */
    nextWebhook: prepare<{ after: string }, { id: string | null }>(
      client,
      builder
        .select({ id: min(webhookId).as('id') })
        .from(deliveries)
        .where(gt(webhookId, sql.placeholder('after'))),
    ),
    removeDeliveries: prepare<{ id: string; last: bigint }>(client, builder.delete(deliveries).where(isUpTo)),
    removeEvents: prepare<{ last: bigint }>(client, builder.delete(events).where(lte(events.sequence, last))),
  };
};
