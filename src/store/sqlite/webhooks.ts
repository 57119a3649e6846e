import { count, eq, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { webhooks } from '../../../db/sqlite.ts';
import { isPlantEventType } from '../../domain/event.ts';
import { isDisabledReason, mintWebhookId, rotateSecrets, type WebhookRecord } from '../../domain/webhook.ts';
import { expectRoomForWebhook, expectWebhook, type Health } from '../../domain/webhook-change.ts';
import type { WebhookStore } from '../store.ts';
import { placeholdersOf } from './columns.ts';
import type { Connection } from './connection.ts';
import { newestSequence } from './events.ts';
import type { Queries } from './open.ts';

export const createWebhookStore = (
  { db, read, change }: Connection,
  { webhooks: { find }, tests }: Queries,
): WebhookStore => {
  const isId = (id: string) => eq(webhooks.id, id);

  return {
    create: ({ url, events: types, description, secret }) =>
      change('webhook', () => {
        expectRoomForWebhook(db.select({ total: count() }).from(webhooks).get()?.total ?? 0);
        const row = db
          .insert(webhooks)
          .values({
            id: mintWebhookId(),
            url,
            events: types.join(' '),
            description: description ?? null,
            secrets: [{ text: secret }],
            position: newestSequence,
            createdAt: new Date().toISOString(),
          })
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
        // Nobody would send or prune them; the settled ones are pruned when they are old.
        tests.removePending(id);
      }),
  };
};

export type WebhookQueries = ReturnType<typeof prepareWebhookQueries>;

/** Statements on webhooks that run for each attempt, each prepared once for a client. */
export const prepareWebhookQueries = (db: BunSQLiteDatabase) => {
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
    setHealth: (id: string, { failingSince, disabled }: Health): void =>
      setHealth.run({
        id,
        failingSince: failingSince ?? null,
        disabledAt: disabled?.at ?? null,
        disabledReason: disabled?.reason ?? null,
      }),
    advance: (id: string, position: bigint): void => advance.run({ id, position }),
    /** Enables a webhook by hand. */
    enable: (id: string, now: Date): void =>
      db
        .update(webhooks)
        .set({ disabledAt: null, disabledReason: null, enabledAt: now.toISOString() })
        .where(eq(webhooks.id, id))
        .run(),
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
