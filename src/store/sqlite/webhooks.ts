import { count, eq, sql } from 'drizzle-orm';
import { webhooks } from '../../../db/sqlite.ts';
import {
  expectRoomForWebhook,
  expectWebhook,
  type Health,
  rotateSecrets,
  type WebhookRecord,
} from '../../domain/webhook.ts';
import { toEnabledColumns, toHealthColumns, toNewWebhookRow, toWebhook } from '../rows/webhook.ts';
import type { WebhookStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { LogQueries } from './events.ts';
import { type DrizzleClient, placeholdersOf } from './statement.ts';

export const createWebhookStore = (
  { db, read, commitAndAnnounce, now }: Connection,
  { webhooks: { find }, deliveries, events }: Queries,
): WebhookStore => {
  const isId = (id: string) => eq(webhooks.id, id);

  return {
    create: (webhook) =>
      commitAndAnnounce('webhook', () => {
        expectRoomForWebhook(db.select({ total: count() }).from(webhooks).get()?.total ?? 0);
        const row = db
          .insert(webhooks)
          .values({ ...toNewWebhookRow(webhook, now()), position: events.lastSequence() })
          .returning()
          .get();
        return toWebhook(row);
      }),
    get: (id) => read(() => find(id)),
    list: () => read(() => db.select().from(webhooks).orderBy(sql`rowid`).all().map(toWebhook)),
    rotate: (id, secret) =>
      commitAndAnnounce('webhook', () => {
        const secrets = rotateSecrets(expectWebhook(find(id)).secrets, secret, new Date());
        return toWebhook(db.update(webhooks).set({ secrets }).where(isId(id)).returning().get());
      }),
    delete: (id) =>
      commitAndAnnounce('webhook', () => {
        expectWebhook(find(id));
        db.delete(webhooks).where(isId(id)).run();
        // They would never be sent or pruned; settled test messages are pruned when they are old.
        deliveries.removePendingTestMessages(id);
      }),
  };
};

export interface Queries extends LogQueries {
  readonly webhooks: ReturnType<typeof prepareWebhookQueries>;
}

/** Statements on webhooks that run for each attempt. */
export const prepareWebhookQueries = (db: DrizzleClient) => {
  const isId = eq(webhooks.id, sql.placeholder('id'));
  const { failingSince, disabledAt, disabledReason } = webhooks;
  const byId = db.select().from(webhooks).where(isId).prepare();
  const setHealth = db
    .update(webhooks)
    .set(placeholdersOf({ failingSince, disabledAt, disabledReason }))
    .where(isId)
    .prepare();
  const advance = db
    .update(webhooks)
    .set({ position: sql`max(${webhooks.position}, ${sql.placeholder('position')})` })
    .where(isId)
    .prepare();
  return {
    find: (id: string): WebhookRecord | undefined => {
      const row = byId.get({ id });
      return row && toWebhook(row);
    },
    /** Finds it if its lease has this epoch. */
    findLeased: (id: string, epoch: bigint | undefined): WebhookRecord | undefined => {
      const row = byId.get({ id });
      return row?.leaseEpoch === epoch ? row && toWebhook(row) : undefined;
    },
    setHealth: (id: string, health: Health): void => setHealth.run({ id, ...toHealthColumns(health) }),
    advance: (id: string, position: bigint): void => advance.run({ id, position }),
    enable: (id: string, now: Date): void =>
      db.update(webhooks).set(toEnabledColumns(now)).where(eq(webhooks.id, id)).run(),
  };
};
