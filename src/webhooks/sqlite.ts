import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { webhooks } from '../../db/sqlite.ts';
import type { LogQueries } from '../events/sqlite.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { builder, preparerOf } from '../sqlite/statement.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { fieldsOf, placeholdersOf } from '../storage/columns.ts';
import {
  type HealthRow,
  type LeaseColumns,
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
  { read, commit, now }: Transactions,
  { webhooks: { find, list, insert, setSecrets, remove }, deliveries, events }: Queries,
): WebhookStore => ({
  create: (webhook) =>
    commit(() => {
      expectRoomForWebhook(list().length);
      return insert({ ...toNewWebhookRow(webhook, now()), position: events.lastSequence() });
    }, 'webhook'),
  get: (id) => read(() => find(id)),
  list: () => read(list),
  rotate: (id, secret) =>
    commit(() => {
      const secrets = rotateSecrets(expectWebhook(find(id)).secrets, secret, new Date());
      return expectWebhook(setSecrets(id, secrets));
    }, 'webhook'),
  delete: (id) =>
    commit(() => {
      expectWebhook(find(id));
      remove.run({ id });
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
  const prepare = preparerOf(client);
  const isId = eq(webhooks.id, sql.placeholder('id'));
  const columns = getTableColumns(webhooks);
  const { id, url, events, description, secrets, position, createdAt, ...later } = columns;
  const { failingSince, disabledAt, disabledReason, enabledAt, leaseEpoch } = later;
  const update = <Values extends { id: string }>(changed: Partial<Record<keyof typeof columns, SQL>>) =>
    prepare<Values>(() => builder.update(webhooks).set(changed).where(isId));
  const select = () => builder.select(fieldsOf(columns)).from(webhooks);
  const byId = prepare<{ id: string }, StoredRow>(() => select().where(isId));
  const healthById = prepare<{ id: string }, HealthRow & Pick<LeaseColumns, 'leaseEpoch'>>(() =>
    builder
      .select(fieldsOf({ failingSince, disabledAt, disabledReason, enabledAt, leaseEpoch }))
      .from(webhooks)
      .where(isId),
  );
  const all = prepare<void, StoredRow>(() => select().orderBy(sql`rowid`));
  const insert = prepare<NewRow, StoredRow>(() =>
    builder
      .insert(webhooks)
      .values(placeholdersOf({ id, url, events, description, secrets, position, createdAt }))
      .returning(fieldsOf(columns)),
  );
  const setSecrets = prepare<{ id: string; secrets: string }, StoredRow>(() =>
    builder.update(webhooks).set(placeholdersOf({ secrets })).where(isId).returning(fieldsOf(columns)),
  );
  const setHealth = update<{ id: string } & ReturnType<typeof toHealthColumns>>(
    placeholdersOf({ failingSince, disabledAt, disabledReason }),
  );
  const enable = update<{ id: string } & ReturnType<typeof toEnabledColumns>>(
    placeholdersOf({ disabledAt, disabledReason, enabledAt }),
  );
  const advance = update<{ id: string; position: bigint }>({
    position: sql`max(${position}, ${sql.placeholder('position')})`,
  });
  return {
    find: (id: string): WebhookRecord | undefined => byId.all({ id }).map(toWebhook)[0],
    /** Finds the health of a webhook whose lease has this epoch. */
    findHealth: (id: string, epoch: bigint | undefined): Health | undefined =>
      healthById
        .all({ id })
        .filter((row) => row.leaseEpoch === epoch)
        .map(toHealth)[0],
    list: (): WebhookRecord[] => all.all().map(toWebhook),
    insert: (row: NewRow): WebhookRecord => expectWebhook(insert.all(row).map(toWebhook)[0]),
    remove: prepare<{ id: string }>(() => builder.delete(webhooks).where(isId)),
    setSecrets: (id: string, secrets: readonly Secret[]): WebhookRecord | undefined =>
      setSecrets.all({ id, ...toSecretsColumn(secrets) }).map(toWebhook)[0],
    setHealth: (id: string, health: Health): void => void setHealth.run({ id, ...toHealthColumns(health) }),
    advance: (id: string, position: bigint): void => void advance.run({ id, position }),
    enable: (id: string, now: Date): void => void enable.run({ id, ...toEnabledColumns(now) }),
  };
};

interface StoredRow extends WebhookRow, LeaseColumns {}

type NewRow = ReturnType<typeof toNewWebhookRow> & Pick<WebhookRow, 'position'>;
