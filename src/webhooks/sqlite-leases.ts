import { eq, getTableColumns, sql } from 'drizzle-orm';
import { senders, webhooks } from '../../db/sqlite.ts';
import { builder, preparerOf } from '../sqlite/statement.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { fieldsOf, placeholdersOf } from '../storage/columns.ts';
import { type LeasePlan, type LeaseRequest, planLeases, type Sender, writesAnything } from './lease.ts';
import { type LeaseColumns, type LeaseRow, toLeaseColumns, toLeasedWebhook } from './row.ts';
import type { LeaseStore } from './store.ts';

/** The clock of the database is the system clock: all processes that share a file are on one machine. */
export const createLeaseStore = ({ client, read, commit }: Transactions): LeaseStore => {
  const prepare = preparerOf(client);
  const { id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt } = webhooks;
  const allWebhooks = prepare<void, LeaseRow>(() =>
    builder
      .select(fieldsOf({ id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt }))
      .from(webhooks)
      .orderBy(sql`rowid`),
  );
  const setLease = prepare<LeaseColumns & { id: string }>(() =>
    builder
      .update(webhooks)
      .set(placeholdersOf({ leaseOwner, leaseEpoch, leaseExpiresAt }))
      .where(eq(id, sql.placeholder('id'))),
  );
  const ofSender = getTableColumns(senders);
  const allSenders = prepare<void, Sender>(() => builder.select(fieldsOf(ofSender)).from(senders));
  const putSender = prepare<Sender>(() =>
    builder
      .insert(senders)
      .values(placeholdersOf(ofSender))
      .onConflictDoUpdate({ target: senders.id, set: placeholdersOf(ofSender) }),
  );
  const removeSender = prepare<{ id: string }>(() =>
    builder.delete(senders).where(eq(senders.id, sql.placeholder('id'))),
  );

  const plan = (request: LeaseRequest): LeasePlan =>
    planLeases({ webhooks: allWebhooks.all().map(toLeasedWebhook), senders: allSenders.all() }, request, new Date());

  const write = ({ changes, sender, removed }: LeasePlan): void => {
    for (const { id, after } of changes) setLease.run({ id, ...toLeaseColumns(after) });
    if (sender) putSender.run(sender);
    for (const id of removed) removeSender.run({ id });
  };

  return {
    renew: async (request) => {
      const planned = await read(() => plan(request));
      if (!writesAnything(planned)) return planned;
      // Another process may have written meanwhile.
      return commit(() => {
        const decided = plan(request);
        write(decided);
        return decided;
      });
    },
  };
};
