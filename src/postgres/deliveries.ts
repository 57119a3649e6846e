import { type DeliveryChange, expectRoomForTestMessage, newDelivery, request } from '../deliveries/delivery.ts';
import { requestRedelivery } from '../deliveries/health.ts';
import { lastPlace } from '../deliveries/place.ts';
import { planRecord, webhooksOf } from '../deliveries/record.ts';
import type { DeliveryStore, Epochs } from '../deliveries/store.ts';
import { maxKey, parseEventId, plantEventTypes } from '../events/event.ts';
import { isEveryType, toNewEvents } from '../events/row.ts';
import { expectWebhook } from '../webhooks/webhook.ts';
import {
  countOfDeliveries,
  countPendingTestMessages,
  findDelivery,
  findRequests,
  putDeliveries,
  readDue,
  readNewestTestMessage,
  readNextDue,
  readPage,
  readPageOfState,
} from './delivery-queries.ts';
import { keyOfCursor, lockHead, readNewest, readOldest, selectEvents } from './log.ts';
import type { Database } from './session/database.ts';
import type { Session, TransactionEnd } from './session/session.ts';
import { advance, enableWebhook, findWebhook, lockLeased, lockWebhook, setHealths } from './webhooks.ts';

export const createDeliveryStore = ({ read, readList, transact, transactForWebhooks }: Database): DeliveryStore => ({
  list: (webhookId, { limit, after }) =>
    readList(async (session) => {
      const before = after === undefined ? maxKey : (parseEventId(after) ?? maxKey);
      expectWebhook(await findWebhook(session, webhookId));
      const [page] = await Promise.all([
        readPage(session, webhookId, before, limit),
        after === undefined ? undefined : keyOfCursor(session, after),
      ]);
      return page;
    }),
  listByState: (state, { limit, after = lastPlace }) =>
    readList((session) => readPageOfState(session, state, after, limit)),
  countByState: (state, limit) => readList((session) => countOfDeliveries(session, state, limit)),
  createTestMessage: (webhookId) =>
    transactForWebhooks(async (session) => {
      await lockWebhook(session, webhookId);
      expectRoomForTestMessage(await countPendingTestMessages(session, webhookId));
      const now = new Date();
      await enableWebhook(session, webhookId, now);
      // While this lock is held, no other test message gets a number.
      const sequence = await lockHead(session);
      const number = (await readNewestTestMessage(session)) + 1n;
      const event = { type: 'webhook.test', sequence, number, timestamp: now.toISOString() } as const;
      const delivery = request(newDelivery(webhookId, event), now);
      return { result: delivery, last: [putDeliveries(session, [delivery])] };
    }),
  redeliver: (webhookId, id) =>
    transactForWebhooks(async (session) => {
      const key = parseEventId(id);
      // Before the other queries, which a text that is no id would make fail.
      const webhook = await lockWebhook(session, webhookId);
      const [pending, existing] = await Promise.all([
        countPendingTestMessages(session, webhookId),
        key && findDelivery(session, webhookId, key),
      ]);
      const now = new Date();
      const delivery = requestRedelivery(webhook, existing, { id, pendingTestMessages: () => pending, now });
      await enableWebhook(session, webhookId, now);
      return { result: delivery, last: [putDeliveries(session, [delivery])] };
    }),
  readUntried: (webhookId, after, limit, types = plantEventTypes) =>
    read(async (session) => {
      // The newest event first, so that all events up to it are among the rows.
      const [newest, rows] = await Promise.all([
        isEveryType(types) ? undefined : readNewest(session),
        selectEvents(session, { after, limit, types }, webhookId),
      ]);
      return toNewEvents({ rows, after, limit, newest }, ({ triedBy }) => triedBy === null);
    }),
  readDue: (webhookId, range) => read((session) => readDue(session, webhookId, range)),
  readNextDue: (webhookId) => read((session) => readNextDue(session, webhookId)),
  record: (...progress) => transact((session) => record(session, ...progress)),
});

/** Implements `DeliveryStore.record` in a transaction, with a few statements for all changes. */
const record = async (
  session: Session,
  changes: readonly DeliveryChange[],
  positions: ReadonlyMap<string, bigint>,
  epochs: Epochs,
): Promise<TransactionEnd<void>> => {
  const leased = await lockLeased(session, webhooksOf(changes, positions), epochs);
  const healths = new Map(leased.map((webhook) => [webhook.id, webhook]));
  const after = changes.map((change) => change.after);
  const [oldest = 0n, requests] = await Promise.all([readOldest(session), findRequests(session, after)]);
  const plan = planRecord(changes, { requests, healths, oldest });
  const last = [
    putDeliveries(session, plan.deliveries),
    setHealths(session, plan.healths),
    advance(session, new Map([...positions].filter(([id]) => healths.has(id)))),
  ];
  return { result: undefined, last };
};
