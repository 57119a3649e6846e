import { asc, count, eq, inArray, max } from 'drizzle-orm';
import { webhooks } from '../../db/postgres.ts';
import type { Epochs, WebhookStore } from '../store/store.ts';
import { toEnabledColumns, toHealthColumns, toNewWebhookRow, toWebhook } from '../webhooks/row.ts';
import {
  expectRoomForWebhook,
  expectWebhook,
  type Health,
  rotateSecrets,
  type WebhookRecord,
} from '../webhooks/webhook.ts';
import { removePendingTestMessages } from './delivery-queries.ts';
import { lockHead } from './log.ts';
import type { Database } from './session/database.ts';
import type { Session } from './session/session.ts';
import { type Drizzle, toArray } from './session/sql.ts';

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

export const findWebhook = async (db: Drizzle, id: string): Promise<WebhookRecord | undefined> =>
  (
    await db
      .select()
      .from(webhooks)
      .where(isOneOf([id]))
  ).map(toWebhook)[0];

/** PostgreSQL rejects a text with U+0000, which no id has. */
const isOneOf = (ids: Iterable<string>) =>
  inArray(
    webhooks.id,
    [...ids].filter((id) => !id.includes('\0')),
  );

/**
 * Finds the webhooks that exist, and locks them, and with them their deliveries. All transactions lock webhooks first, by ascending id,
 * so that no two transactions wait for each other.
 */
export const lockWebhooks = async (db: Drizzle, ids: Iterable<string>): Promise<WebhookRecord[]> =>
  (await lockRows(db, ids)).map(toWebhook);

/** The same for webhooks whose leases have these epochs. */
export const lockLeased = async (db: Drizzle, ids: Iterable<string>, epochs: Epochs): Promise<WebhookRecord[]> => {
  const rows = await lockRows(db, ids);
  return rows.filter(({ id, leaseEpoch }) => leaseEpoch === epochs.get(id)).map(toWebhook);
};

const lockRows = (db: Drizzle, ids: Iterable<string>) =>
  db.select().from(webhooks).where(isOneOf(ids)).orderBy(asc(webhooks.id)).for('update');

/** Throws AppError `not_found`. */
export const lockWebhook = async (db: Drizzle, id: string): Promise<WebhookRecord> =>
  expectWebhook((await lockWebhooks(db, [id]))[0]);

/** Finds all webhooks, and locks them, and with them their deliveries. */
export const holdAllWebhooks = async (db: Drizzle): Promise<WebhookRecord[]> =>
  (await db.select().from(webhooks).orderBy(asc(webhooks.id)).for('share')).map(toWebhook);

/** Enables a locked webhook by hand. */
export const enableWebhook = async (db: Drizzle, id: string, now: Date): Promise<void> =>
  void (await db.update(webhooks).set(toEnabledColumns(now)).where(eq(webhooks.id, id)));

/** Sets the health of locked webhooks, by their ids. The query is sent immediately, and COMMIT may follow without an await. */
export const setHealths = ({ sql }: Session, healths: ReadonlyMap<string, Health>): Promise<unknown> => {
  const columns = [...healths.values()].map(toHealthColumns);
  const failingSince = columns.map((row) => row.failingSince);
  const disabledAt = columns.map((row) => row.disabledAt);
  const reasons = columns.map((row) => row.disabledReason);
  return sql`
    UPDATE webhooks SET failing_since = input.failing_since, disabled_at = input.disabled_at,
      disabled_reason = input.disabled_reason
    FROM unnest(${toArray([...healths.keys()])}::text[], ${toArray(failingSince)}::text[],
      ${toArray(disabledAt)}::text[], ${toArray(reasons)}::text[])
      AS input (id, failing_since, disabled_at, disabled_reason)
    WHERE webhooks.id = input.id`;
};

/** Moves locked webhooks to these positions in the log, by their ids. The query is sent as in `setHealths`. */
export const advance = ({ sql }: Session, positions: ReadonlyMap<string, bigint>): Promise<unknown> =>
  sql`
    UPDATE webhooks SET position = greatest(webhooks.position, input.position)
    FROM unnest(${toArray([...positions.keys()])}::text[], ${toArray([...positions.values()])}::int8[])
      AS input (id, position)
    WHERE webhooks.id = input.id`;
