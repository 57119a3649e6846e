import { eq, inArray, sql } from 'drizzle-orm';
import { senders, webhooks } from '../../../db/sqlite.ts';
import { type LeasePlan, type LeaseRequest, planLeases, writesAnything } from '../../domain/lease.ts';
import { toLeaseColumns, toLeasedWebhook } from '../rows/webhook.ts';
import type { LeaseStore } from '../store.ts';
import type { Connection } from './connection.ts';

/** The clock of the database is the system clock: all processes that share a file are on one machine. */
export const createLeaseStore = ({ db, read, commit }: Connection): LeaseStore => {
  const { id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt } = webhooks;
  const allWebhooks = db
    .select({ id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt })
    .from(webhooks)
    .orderBy(sql`rowid`)
    .prepare();
  const allSenders = db.select().from(senders).prepare();

  const plan = (request: LeaseRequest): LeasePlan =>
    planLeases({ webhooks: allWebhooks.all().map(toLeasedWebhook), senders: allSenders.all() }, request, new Date());

  const write = ({ changes, sender, removed }: LeasePlan): void => {
    for (const { id, after } of changes)
      db.update(webhooks).set(toLeaseColumns(after)).where(eq(webhooks.id, id)).run();
    if (sender) db.insert(senders).values(sender).onConflictDoUpdate({ target: senders.id, set: sender }).run();
    db.delete(senders)
      .where(inArray(senders.id, [...removed]))
      .run();
  };

  return {
    renew: async (request) => {
      const present = await read(() => plan(request));
      if (!writesAnything(present)) return present;
      // Another process may have written meanwhile.
      return commit(() => {
        const decided = plan(request);
        write(decided);
        return decided;
      });
    },
  };
};
