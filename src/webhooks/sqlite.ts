import { eq, getTableColumns, sql } from 'drizzle-orm';
import { webhooks } from '../../db/sqlite.ts';
import { lazy } from '../base/lazy.ts';
import type { LogQueries } from '../events/sqlite.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { drizzle, withValues } from '../sqlite/session.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { placeholdersOf } from '../storage/columns.ts';
import {
  toEnabledColumns,
  toHealth,
  toHealthColumns,
  toNewWebhookRow,
  toSecretsColumn,
  toWebhook,
  type WebhookRow,
} from './row.ts';
import type { WebhookStore } from './store.ts';
import {
  expectRoomForWebhook,
  expectWebhook,
  type Health,
  rotateSecrets,
  type Secret,
  type WebhookRecord,
} from './webhook.ts';

export const createWebhookStore = (
  { read, transact, now }: Transactions,
  { webhooks: { find, list, insert, setSecrets, remove }, deliveries, events }: Queries,
): WebhookStore => ({
  create: (webhook) =>
    transact(() => {
      expectRoomForWebhook(list().length);
      return insert({ ...toNewWebhookRow(webhook, now()), position: events.lastSequence() });
    }, 'webhook'),
  get: (id) => read(() => find(id)),
  list: () => read(list),
  rotate: (id, secret) =>
    transact(() => {
      const secrets = rotateSecrets(expectWebhook(find(id)).secrets, secret, new Date());
      return expectWebhook(setSecrets(id, secrets));
    }, 'webhook'),
  delete: (id) =>
    transact(() => {
      expectWebhook(find(id));
      remove().run({ id });
      // They would never be sent or pruned; settled test messages are pruned when they are old.
      deliveries.removePendingTestMessages(id);
    }, 'webhook'),
});

export interface Queries extends LogQueries {
  readonly deliveries: LogQueries['deliveries'] & { removePendingTestMessages(webhookId: string): void };
  readonly webhooks: ReturnType<typeof prepareWebhookQueries>;
}

/** Statements on webhooks. Most run for each attempt. */
export const prepareWebhookQueries = (client: SqliteClient) => {
  const db = drizzle(client);
  const isId = eq(webhooks.id, sql.placeholder('id'));
  const { id, url, events, description, secrets, position, createdAt, ...later } = getTableColumns(webhooks);
  const { failingSince, disabledAt, disabledReason, enabledAt, leaseEpoch } = later;
  const byId = withValues<{ id: string }>()(() => db.select().from(webhooks).where(isId).prepare());
  const healthById = withValues<{ id: string }>()(() =>
    db.select({ failingSince, disabledAt, disabledReason, enabledAt, leaseEpoch }).from(webhooks).where(isId).prepare(),
  );
  const inOrder = lazy(() => db.select().from(webhooks).orderBy(sql`rowid`).prepare());
  const insert = withValues<NewRow>()(() =>
    db
      .insert(webhooks)
      .values(placeholdersOf({ id, url, events, description, secrets, position, createdAt }))
      .returning()
      .prepare(),
  );
  const setSecrets = withValues<{ id: string; secrets: string }>()(() =>
    db.update(webhooks).set(placeholdersOf({ secrets })).where(isId).returning().prepare(),
  );
  const setHealth = withValues<{ id: string } & ReturnType<typeof toHealthColumns>>()(() =>
    db.update(webhooks).set(placeholdersOf({ failingSince, disabledAt, disabledReason })).where(isId).prepare(),
  );
  const enable = withValues<{ id: string } & ReturnType<typeof toEnabledColumns>>()(() =>
    db.update(webhooks).set(placeholdersOf({ disabledAt, disabledReason, enabledAt })).where(isId).prepare(),
  );
  const advance = withValues<{ id: string; position: bigint }>()(() =>
    db
      .update(webhooks)
      .set({ position: sql`max(${position}, ${sql.placeholder('position')})` })
      .where(isId)
      .prepare(),
  );
  return {
    find: (id: string): WebhookRecord | undefined => byId().all({ id }).map(toWebhook)[0],
    /** Finds the health of a webhook whose lease has this epoch. */
    findHealth: (id: string, epoch: bigint | undefined): Health | undefined =>
      healthById()
        .all({ id })
        .filter((row) => row.leaseEpoch === epoch)
        .map(toHealth)[0],
    list: (): WebhookRecord[] => inOrder().all().map(toWebhook),
    insert: (row: NewRow): WebhookRecord => expectWebhook(insert().all(row).map(toWebhook)[0]),
    remove: withValues<{ id: string }>()(() => db.delete(webhooks).where(isId).prepare()),
    setSecrets: (id: string, secrets: readonly Secret[]): WebhookRecord | undefined =>
      setSecrets()
        .all({ id, ...toSecretsColumn(secrets) })
        .map(toWebhook)[0],
    setHealth: (id: string, health: Health): void => void setHealth().run({ id, ...toHealthColumns(health) }),
    advance: (id: string, position: bigint): void => void advance().run({ id, position }),
    enable: (id: string, now: Date): void => void enable().run({ id, ...toEnabledColumns(now) }),
  };
};

type NewRow = ReturnType<typeof toNewWebhookRow> & Pick<WebhookRow, 'position'>;
