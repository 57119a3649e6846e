import {
  type DeliveryChange,
  expectRoomForTestMessage,
  newDelivery,
  reconcile,
  request,
} from '../deliveries/delivery.ts';
import { keyTextOf, maxKey, parseEventId, plantEventTypes } from '../events/event.ts';
import { isEveryType, toNewEvents } from '../events/row.ts';
import type { DeliveryStore, Epochs } from '../store/store.ts';
import { expectWebhook, type Health, healthAfter, requestRedelivery } from '../webhooks/webhook.ts';
import {
  countPendingTestMessages,
  findDelivery,
  findPresent,
  putDeliveries,
  readDue,
  readNewestTestMessage,
  readPage,
} from './delivery-queries.ts';
import { keyOfCursor, lockHead, readNewest, readOldest, selectEvents } from './log.ts';
import type { Database } from './session/database.ts';
import type { Session, TransactionEnd } from './session/session.ts';
import { advance, enableWebhook, findWebhook, lockLeased, lockWebhook, lockWebhooks, setHealths } from './webhooks.ts';

export const createDeliveryStore = ({ read, transact, transactAndAnnounce }: Database): DeliveryStore => ({
  list: (webhookId, { limit, after }) =>
    read(async ({ db }) => {
      const before = after === undefined ? maxKey : (parseEventId(after) ?? maxKey);
      expectWebhook(await findWebhook(db, webhookId));
      const [page] = await Promise.all([
        readPage(db, webhookId, before, limit),
        after === undefined ? undefined : keyOfCursor(db, after),
      ]);
      return page;
    }),
  createTestMessage: (webhookId) =>
    transactAndAnnounce('webhook', async (session) => {
      const { db } = session;
      await lockWebhook(db, webhookId);
      expectRoomForTestMessage(await countPendingTestMessages(db, webhookId));
      const now = new Date();
      await enableWebhook(db, webhookId, now);
      // While this lock is held, no other test message gets a number.
      const sequence = await lockHead(db);
      const number = (await readNewestTestMessage(db)) + 1n;
      const event = { type: 'webhook.test', sequence, number, timestamp: now.toISOString() } as const;
      const delivery = request(newDelivery(webhookId, event), now);
      return { result: delivery, last: [putDeliveries(session, [delivery])] };
    }),
  redeliver: (webhookId, id) =>
    transactAndAnnounce('webhook', async (session) => {
      const { db } = session;
      const key = parseEventId(id);
      const [webhook] = await lockWebhooks(db, [webhookId]);
      const [pending, present] = await Promise.all([
        countPendingTestMessages(db, webhookId),
        key && findDelivery(db, webhookId, key),
      ]);
      const now = new Date();
      const delivery = requestRedelivery(webhook, present, { id, pendingTestMessages: () => pending, now });
      await enableWebhook(db, webhookId, now);
      return { result: delivery, last: [putDeliveries(session, [delivery])] };
    }),
  readUntried: (webhookId, after, limit, types = plantEventTypes) =>
    read(async ({ db }) => {
      // The newest event first, so that all events up to it are among the rows.
      const [newest, rows] = await Promise.all([
        isEveryType(types) ? undefined : readNewest(db),
        selectEvents(db, { after, limit, types }, webhookId),
      ]);
      return toNewEvents({ rows, after, limit, newest }, ({ triedBy }) => triedBy === null);
    }),
  readDue: (webhookId, range) => read(({ db }) => readDue(db, webhookId, range)),
  record: (...progress) => transact((session) => record(session, ...progress)),
});

/** Implements `DeliveryStore.record` in a transaction, with a few statements for all changes. */
const record = async (
  session: Session,
  changes: readonly DeliveryChange[],
  positions: ReadonlyMap<string, bigint>,
  epochs: Epochs,
): Promise<TransactionEnd<void>> => {
  const ids = new Set([...changes.map(({ before }) => before.webhookId), ...positions.keys()]);
  const webhooks = new Map((await lockLeased(session.db, ids, epochs)).map((webhook) => [webhook.id, webhook]));
  const leased = changes.filter(({ before }) => webhooks.has(before.webhookId));
  const after = leased.map((change) => change.after);
  const [oldest = 0n, present] = await Promise.all([readOldest(session.db), findPresent(session, after)]);
  const recorded = leased.flatMap((change, index) => reconcile(present.get(index), change, oldest) ?? []);
  const healths = new Map<string, Health>();
  for (const delivery of recorded) {
    const health = healths.get(delivery.webhookId) ?? webhooks.get(delivery.webhookId);
    if (health) healths.set(delivery.webhookId, healthAfter(health, delivery));
  }
  // A statement cannot change a row twice.
  const kept = new Map(recorded.map((one) => [`${one.webhookId} ${keyTextOf(one.event)}`, one]));
  const last = [
    putDeliveries(session, [...kept.values()]),
    setHealths(session, healths),
    advance(session, new Map([...positions].filter(([id]) => webhooks.has(id)))),
  ];
  return { result: undefined, last };
};
