import { compareDue, type Delivery, expectRoomForTest, keepRequest } from '../../domain/delivery.ts';
import {
  compareNewest,
  type EventPlace,
  newestPlace,
  placeIn,
  placeNameOf,
  placeOf,
  plantEventTypes,
} from '../../domain/event.ts';
import { expectWebhook, type Health, healthAfter, requestAgain } from '../../domain/webhook.ts';
import { isEveryType, toNewEvents } from '../rows/event.ts';
import type { DeliveryChange, DeliveryStore, Epochs } from '../store.ts';
import { type DeliveryTable, logDeliveries } from './delivery-queries.ts';
import { placeOfCursor, readNewest, readOldest, selectEvents } from './events.ts';
import type { Database } from './session/database.ts';
import type { Session } from './session/session.ts';
import type { TransactionEnd } from './session/writer.ts';
import { countPendingTests, insertTest, testDeliveries } from './test-deliveries.ts';
import { advance, enableWebhook, findWebhook, lockLeased, lockWebhook, lockWebhooks, setHealths } from './webhooks.ts';

export const createDeliveryStore = ({ read, transact, transactAndAnnounce }: Database): DeliveryStore => ({
  list: (webhookId, { limit, after }) =>
    read(async (client) => {
      const before = after === undefined ? newestPlace : (placeIn(after) ?? newestPlace);
      expectWebhook(await findWebhook(client.db, webhookId));
      const [ofTests, ofLog] = await Promise.all([
        testDeliveries.page(client, webhookId, before, limit),
        logDeliveries.page(client, webhookId, before, limit),
        after === undefined ? undefined : placeOfCursor(client.db, after),
      ]);
      return [...ofTests, ...ofLog].sort((a, b) => compareNewest(placeOf(a.event), placeOf(b.event))).slice(0, limit);
    }),
  test: (webhookId) =>
    transactAndAnnounce('webhook', async ({ db }) => {
      await lockWebhook(db, webhookId);
      expectRoomForTest(await countPendingTests(db, webhookId));
      const now = new Date();
      await enableWebhook(db, webhookId, now);
      return { result: await insertTest(db, webhookId, now) };
    }),
  redeliver: (webhookId, id) =>
    transactAndAnnounce('webhook', async (client) => {
      const { db } = client;
      const place = placeIn(id);
      const [webhook] = await lockWebhooks(db, [webhookId]);
      const [pending, present] = await Promise.all([
        countPendingTests(db, webhookId),
        place && tableOf(place).find(client, webhookId, place),
      ]);
      const now = new Date();
      const delivery = requestAgain(webhook, present, { id, pendingTests: () => pending, now });
      await enableWebhook(db, webhookId, now);
      return { result: delivery, last: [tableOf(placeOf(delivery.event)).put(client, [delivery])] };
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
  readDue: (webhookId, range) =>
    read(async (client) => {
      const due = [logDeliveries.due(client, webhookId, range), testDeliveries.due(client, webhookId, range)];
      return (await Promise.all(due)).flat().sort(compareDue).slice(0, range.limit);
    }),
  record: (...progress) => transact((client) => record(client, ...progress)),
});

/** Implements `DeliveryStore.record` in a transaction, with a few statements for all changes. */
const record = async (
  client: Session,
  changes: readonly DeliveryChange[],
  positions: ReadonlyMap<string, bigint>,
  epochs: Epochs,
): Promise<TransactionEnd<void>> => {
  const ids = new Set([...changes.map(({ before }) => before.webhookId), ...positions.keys()]);
  const webhooks = new Map((await lockLeased(client.db, ids, epochs)).map((webhook) => [webhook.id, webhook]));
  const after = changes.map((change) => change.after);
  // Pruning removes the beginning of the log.
  const [oldest = 0n, ...requests] = await Promise.all([
    readOldest(client.db),
    logDeliveries.findRequests(client, after.filter(isOfLog)),
    testDeliveries.findRequests(client, after.filter(isOfTest)),
  ]);
  const present = new Map(requests.flat());
  const settled = changes
    .filter(({ after }) => webhooks.has(after.webhookId) && (isOfTest(after) || after.event.sequence >= oldest))
    .map(({ before, after }) => keepRequest(present.get(after), before, after));

  const healths = new Map<string, Health>();
  for (const delivery of settled) {
    const health = healths.get(delivery.webhookId) ?? webhooks.get(delivery.webhookId);
    if (health) healths.set(delivery.webhookId, healthAfter(health, delivery));
  }
  // A statement cannot change a row twice.
  const kept = [...new Map(settled.map((one) => [`${one.webhookId} ${placeNameOf(one.event)}`, one])).values()];
  const last = [
    logDeliveries.put(client, kept.filter(isOfLog)),
    testDeliveries.put(client, kept.filter(isOfTest)),
    setHealths(client, healths),
    advance(client, new Map([...positions].filter(([id]) => webhooks.has(id)))),
  ];
  return { result: undefined, last };
};

const isOfTest = ({ event }: Delivery): boolean => event.type === 'webhook.test';
const isOfLog = (delivery: Delivery): boolean => !isOfTest(delivery);

const tableOf = ({ number }: EventPlace): DeliveryTable => (number === 0n ? logDeliveries : testDeliveries);
