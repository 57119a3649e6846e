import { count, eq, sql } from 'drizzle-orm';
import { webhooks } from '../../../db/sqlite.ts';
import { expectRoomForWebhook, expectWebhook, rotateSecrets } from '../../domain/webhook.ts';
import { toNewWebhookRow, toWebhook } from '../rows/webhook.ts';
import type { WebhookStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { Queries } from './queries.ts';

export const createWebhookStore = (
  { db, read, change, now }: Connection,
  { webhooks: { find }, deliveries, events }: Queries,
): WebhookStore => {
  const isId = (id: string) => eq(webhooks.id, id);

  return {
    create: (webhook) =>
      change('webhook', () => {
        expectRoomForWebhook(db.select({ total: count() }).from(webhooks).get()?.total ?? 0);
        const row = db
          .insert(webhooks)
          .values({ ...toNewWebhookRow(webhook, now()), position: events.newest.get()?.sequence ?? 0n })
          .returning()
          .get();
        return toWebhook(row);
      }),
    get: (id) => read(() => find(id)),
    list: () => read(() => db.select().from(webhooks).orderBy(sql`rowid`).all().map(toWebhook)),
    rotate: (id, secret) =>
      change('webhook', () => {
        const secrets = rotateSecrets(expectWebhook(find(id)).secrets, secret, new Date());
        return toWebhook(db.update(webhooks).set({ secrets }).where(isId(id)).returning().get());
      }),
    delete: (id) =>
      change('webhook', () => {
        expectWebhook(find(id));
        db.delete(webhooks).where(isId(id)).run();
        // They would never be sent or pruned; settled tests are pruned when they are old.
        deliveries.removePendingTests(id);
      }),
  };
};
