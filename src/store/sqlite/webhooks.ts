import { count, eq, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { events, webhooks } from '../../../db/sqlite.ts';
import { isPlantEventType } from '../../domain/event.ts';
import { isDisabledReason, mintWebhookId, type WebhookRecord } from '../../domain/webhook.ts';
import { expectRoomForWebhook, expectWebhook, rotateSecret } from '../../domain/webhook-change.ts';
import type { WebhookStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { TestQueries } from './test-queries.ts';

export const createWebhookStore = (
  { db, read, change }: Connection,
  testQueries: TestQueries,
  find: FindWebhook,
): WebhookStore => {
  const all = db.select().from(webhooks).orderBy(sql`rowid`).prepare();
  const total = db.select({ total: count() }).from(webhooks).prepare();
  const isId = (id: string) => eq(webhooks.id, id);

  return {
    create: ({ url, events: types, description, secret }) =>
      change('webhook', () => {
        expectRoomForWebhook(total.get()?.total ?? 0);
        const row = db
          .insert(webhooks)
          .values({
            id: mintWebhookId(),
            url,
            events: types.join(' '),
            description: description ?? null,
            secrets: [{ text: secret }],
            position: sql`(SELECT coalesce(max(${events.sequence}), 0) FROM ${events})`,
            createdAt: new Date().toISOString(),
          })
          .returning()
          .get();
        return toWebhook(row);
      }),
    get: (id) => read(() => find(id)),
    list: () => read(() => all.all().map(toWebhook)),
    rotate: (id, secret) =>
      change('webhook', () => {
        const { secrets } = rotateSecret(find(id), secret, new Date());
        return toWebhook(db.update(webhooks).set({ secrets }).where(isId(id)).returning().get());
      }),
    delete: (id) =>
      change('webhook', () => {
        expectWebhook(find(id));
        db.delete(webhooks).where(isId(id)).run();
        // Nobody would ever send or prune them; those that are settled are pruned when they are old.
        testQueries.removePending.run({ webhookId: id });
      }),
  };
};

export type FindWebhook = (id: string) => WebhookRecord | undefined;

export const prepareFindWebhook = (db: BunSQLiteDatabase): FindWebhook => {
  const byId = db
    .select()
    .from(webhooks)
    .where(eq(webhooks.id, sql.placeholder('id')))
    .prepare();
  return (id) => {
    const row = byId.get({ id });
    return row && toWebhook(row);
  };
};

/** Throws for a row that this program has not written. */
const toWebhook = ({
  events: types,
  description,
  failingSince,
  disabledAt,
  disabledReason,
  enabledAt,
  ...row
}: typeof webhooks.$inferSelect): WebhookRecord => ({
  ...row,
  events: types.split(' ').map((type) => known(type, isPlantEventType)),
  ...(description !== null && { description }),
  ...(failingSince !== null && { failingSince }),
  ...(enabledAt !== null && { enabledAt }),
  ...(disabledAt !== null && { disabled: { at: disabledAt, reason: known(disabledReason ?? '', isDisabledReason) } }),
});

const known = <Word extends string>(text: string, isWord: (text: string) => text is Word): Word => {
  if (!isWord(text)) throw new Error('a webhook has a word that is not known');
  return text;
};
