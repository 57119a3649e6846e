import { asc, eq, getTableColumns, max, type SQL, sql } from 'drizzle-orm';
import type { Epochs } from '../deliveries/store.ts';
import { placeholdersOf } from '../storage/columns.ts';
import { toEnabledColumns, toHealthColumns, toNewWebhookRow, toSecretsColumn, toWebhook } from '../webhooks/row.ts';
import type { WebhookStore } from '../webhooks/store.ts';
import {
  expectRoomForWebhook,
  expectWebhook,
  type Health,
  rotateSecrets,
  type WebhookRecord,
} from '../webhooks/webhook.ts';
import { webhooks } from './db/tables.ts';
import { removePendingTestMessages } from './delivery-queries.ts';
import { lockHead } from './log.ts';
import { toArray } from './session/array.ts';
import type { Database } from './session/database.ts';
import type { Session } from './session/session.ts';
import { builder, isAmong, manyRows, prepare, valuesOf } from './session/statement.ts';

export const createWebhookStore = ({ read, transactForWebhooks }: Database): WebhookStore => ({
  create: (webhook) =>
    transactForWebhooks(async (session) => {
      // While this lock is held, no other webhook is created and no event is added.
      const position = await lockHead(session);
      const [existing] = await count(session);
      expectRoomForWebhook(existing?.total ?? 0);
      // Every node of Citus has a sequence of its own.
      const number = (existing?.newest ?? 0n) + 1n;
      const rows = await insert(session, { ...toNewWebhookRow(webhook, new Date()), number, position });
      return { result: expectWebhook(rows.map(toWebhook)[0]) };
    }),
  get: (id) => read((session) => findWebhook(session, id)),
  list: () => read(async (session) => (await list(session)).map(toWebhook)),
  rotate: (id, secret) =>
    transactForWebhooks(async (session) => {
      const secrets = rotateSecrets((await lockWebhook(session, id)).secrets, secret, new Date());
      const rows = await setSecrets(session, { id, ...toSecretsColumn(secrets) });
      return { result: expectWebhook(rows.map(toWebhook)[0]) };
    }),
  delete: (id) =>
    transactForWebhooks(async (session) => {
      await lockWebhook(session, id);
      // Its pending test messages would never be sent or pruned; settled test messages are pruned when they are old.
      await Promise.all([remove(session, { id }), removePendingTestMessages(session, id)]);
      return { result: undefined };
    }),
});

export const findWebhook = async (session: Session, id: string): Promise<WebhookRecord | undefined> =>
  (await find(session, { ids: toIds([id]) })).map(toWebhook)[0];

/**
 * Finds the webhooks that exist, and locks them, and with them their deliveries. All transactions lock webhooks first, by ascending id,
 * so that no two transactions wait for each other.
 */
const lockWebhooks = async (session: Session, ids: Iterable<string>): Promise<WebhookRecord[]> =>
  (await lock(session, { ids: toIds(ids) })).map(toWebhook);

/** Locks as `lockWebhooks` does, and returns the webhooks whose leases have these epochs. */
export const lockLeased = async (session: Session, ids: Iterable<string>, epochs: Epochs): Promise<WebhookRecord[]> => {
  const rows = await lock(session, { ids: toIds(ids) });
  return rows.filter(({ id, leaseEpoch }) => leaseEpoch === epochs.get(id)).map(toWebhook);
};

/** Throws AppError `not_found`. */
export const lockWebhook = async (session: Session, id: string): Promise<WebhookRecord> =>
  expectWebhook((await lockWebhooks(session, [id]))[0]);

/** Finds all webhooks, and locks them, and with them their deliveries. */
export const holdAllWebhooks = async (session: Session): Promise<WebhookRecord[]> =>
  (await holdAll(session)).map(toWebhook);

/** Enables a locked webhook by hand. */
export const enableWebhook = async (session: Session, id: string, now: Date): Promise<void> =>
  void (await enable(session, { id, ...toEnabledColumns(now) }));

/** Sets the health of locked webhooks, by their ids. The query is sent immediately, and COMMIT may follow without an await. */
export const setHealths = (session: Session, changed: ReadonlyMap<string, Health>): Promise<unknown> =>
  updateHealths(session, healths.toArrays([...changed].map(([id, one]) => ({ id, ...toHealthColumns(one) }))));

/** Moves locked webhooks to these positions in the log, by their ids. The query is sent as in `setHealths`. */
export const advance = (session: Session, positions: ReadonlyMap<string, bigint>): Promise<unknown> =>
  updatePositions(session, places.toArrays([...positions].map(([id, position]) => ({ id, position }))));

/** PostgreSQL rejects a text with U+0000, which no id has. */
const toIds = (ids: Iterable<string>): string => toArray([...ids].filter((id) => !id.includes('\0')));

const { id, number, url, events, description, secrets, position, createdAt, ...later } = getTableColumns(webhooks);
const { failingSince, disabledAt, disabledReason, enabledAt } = later;
const isId = eq(id, sql.placeholder('id'));

const select = () => builder.select().from(webhooks);
const selectByIds = () => select().where(isAmong(id, 'ids')).orderBy(asc(id));
const find = prepare<{ ids: string }>()(selectByIds());
const lock = prepare<{ ids: string }>()(selectByIds().for('update'));
const holdAll = prepare()(select().orderBy(asc(id)).for('share'));
const list = prepare()(select().orderBy(asc(number)));
const count = prepare()(builder.select({ total: sql<number>`count(*)::int`, newest: max(number) }).from(webhooks));
const insert = prepare<NewRow>()(
  builder
    .insert(webhooks)
    .values(placeholdersOf({ id, number, url, events, description, secrets, position, createdAt }))
    .returning(),
);
const setSecrets = prepare<{ id: string; secrets: string }>()(
  builder.update(webhooks).set(placeholdersOf({ secrets })).where(isId).returning(),
);
const enable = prepare<{ id: string } & ReturnType<typeof toEnabledColumns>>()(
  builder.update(webhooks).set(placeholdersOf({ disabledAt, disabledReason, enabledAt })).where(isId),
);
const remove = prepare<{ id: string }>()(builder.delete(webhooks).where(isId));

type NewRow = ReturnType<typeof toNewWebhookRow> & Readonly<Record<'number' | 'position', bigint>>;

const healthColumns = { failingSince, disabledAt, disabledReason };
const healths = manyRows({ id, ...healthColumns });
const places = manyRows({ id, position });
const updateEach = <Values>(input: SQL, changed: Record<string, SQL>) =>
  prepare<Values>()(builder.update(webhooks).set(changed).from(input).where(sql`${id} = input.id`));
const updateHealths = updateEach<ReturnType<typeof healths.toArrays>>(healths.input, valuesOf('input', healthColumns));
const updatePositions = updateEach<ReturnType<typeof places.toArrays>>(places.input, {
  position: sql`greatest(${position}, input.position)`,
});
