import { eq, getTableColumns, sql } from 'drizzle-orm';
import { senders, webhooks } from '../../db/sqlite.ts';
import { lazy } from '../base/lazy.ts';
import { drizzle, withValues } from '../sqlite/session.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { placeholdersOf } from '../storage/columns.ts';
import { type LeasePlan, type LeaseRequest, planLeases, type Sender, writesAnything } from './lease.ts';
import { type LeaseColumns, toLeaseColumns, toLeasedWebhook } from './row.ts';
import type { LeaseStore } from './store.ts';

/** The clock of the database is the system clock: all processes that share a file are on one machine. */
export const createLeaseStore = ({ client, read, transact }: Transactions): LeaseStore => {
  const db = drizzle(client);
  const { id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt } = webhooks;
  const allWebhooks = lazy(() =>
    db.select({ id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt }).from(webhooks).orderBy(sql`rowid`).prepare(),
  );
  const setLease = withValues<LeaseColumns & { id: string }>()(() =>
    db
      .update(webhooks)
      .set(placeholdersOf({ leaseOwner, leaseEpoch, leaseExpiresAt }))
      .where(eq(id, sql.placeholder('id')))
      .prepare(),
  );
  const ofSender = placeholdersOf(getTableColumns(senders));
  const allSenders = lazy(() => db.select().from(senders).prepare());
  const putSender = withValues<Sender>()(() =>
    db.insert(senders).values(ofSender).onConflictDoUpdate({ target: senders.id, set: ofSender }).prepare(),
  );
  const removeSender = withValues<{ id: string }>()(() =>
    db
      .delete(senders)
      .where(eq(senders.id, sql.placeholder('id')))
      .prepare(),
  );

  const plan = (request: LeaseRequest): LeasePlan =>
    planLeases(
      { webhooks: allWebhooks().all().map(toLeasedWebhook), senders: allSenders().all() },
      request,
      new Date(),
    );

  const write = ({ changes, sender, removed }: LeasePlan): void => {
    for (const { id, after } of changes) setLease().run({ id, ...toLeaseColumns(after) });
    if (sender) putSender().run(sender);
    for (const id of removed) removeSender().run({ id });
  };

  return {
    renew: async (request) => {
      const planned = await read(() => plan(request));
      if (!writesAnything(planned)) return planned;
      // Another process may have written meanwhile.
      return transact(() => {
        const decided = plan(request);
        write(decided);
        return decided;
      });
    },
  };
};
