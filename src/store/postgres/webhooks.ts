import { asc, count, eq, max } from 'drizzle-orm';
import { webhooks } from '../../../db/postgres.ts';
import { expectRoomForWebhook, rotateSecrets } from '../../domain/webhook.ts';
import { toNewWebhookRow, toWebhook } from '../rows/webhook.ts';
import type { WebhookStore } from '../store.ts';
import { removePendingTestMessages } from './delivery-queries.ts';
import { lockHead } from './log.ts';
import type { Database } from './session/database.ts';
import { findWebhook, lockWebhook } from './webhook-queries.ts';

export const createWebhookStore = ({ read, transactAndAnnounce }: Database): WebhookStore => ({
  create: (webhook) =>
    transactAndAnnounce('webhook', async ({ db }) => {
      // While this lock is held, no other webhook is created and no event is added.
      const position = await lockHead(db);
      const [present] = await db.select({ total: count(), newest: max(webhooks.number) }).from(webhooks);
      expectRoomForWebhook(present?.total ?? 0);
      // Every node of Citus has a sequence of its own.
      const number = (present?.newest ?? 0n) + 1n;
      const row = { ...toNewWebhookRow(webhook, new Date()), number, position };
      return { result: toWebhook(expectRow(await db.insert(webhooks).values(row).returning())) };
    }),
  get: (id) => read(({ db }) => findWebhook(db, id)),
  list: () => read(async ({ db }) => (await db.select().from(webhooks).orderBy(asc(webhooks.number))).map(toWebhook)),
  rotate: (id, secret) =>
    transactAndAnnounce('webhook', async ({ db }) => {
      const secrets = rotateSecrets((await lockWebhook(db, id)).secrets, secret, new Date());
      const rows = await db.update(webhooks).set({ secrets }).where(eq(webhooks.id, id)).returning();
      return { result: toWebhook(expectRow(rows)) };
    }),
  delete: (id) =>
    transactAndAnnounce('webhook', async ({ db }) => {
      await lockWebhook(db, id);
      // Its pending test messages would never be sent or pruned; settled test messages are pruned when they are old.
      await Promise.all([db.delete(webhooks).where(eq(webhooks.id, id)), removePendingTestMessages(db, id)]);
      return { result: undefined };
    }),
});

/** The row that an insertion or an update of one row returns. */
const expectRow = <Row>([row]: readonly Row[]): Row => {
  if (row === undefined) throw new Error('A row that was written did not come back.');
  return row;
};
