/** The trace of a request, from its header to the messages about its change. */
import { afterEach, expect, test } from 'bun:test';
import { generateSecret } from '../../src/base/signature.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { createLog } from '../../src/log.ts';
import { createPost } from '../../src/sender/attempt.ts';
import { type Scheduler, startScheduler } from '../../src/sender/scheduler.ts';
import type { Store } from '../../src/store/store.ts';
import { asJson, createTestApp } from '../support/app/app.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';
import { createReceiver, taken } from '../support/webhooks/receiver.ts';

onBothEngines(() => {
  let sender: Scheduler | undefined;
  afterEach(() => sender?.stop(0));

  /** Starts a sender with a separate store, as in another process. */
  const startSender = async (url: string): Promise<Store> => {
    await sender?.stop(0);
    const store = await openTestStore(url);
    sender = startScheduler({ store, post: createPost({ allowPrivate: true }), log: createLog('silent'), pollMs: 5 });
    return store;
  };

  test('each message has the traceparent of its request, even from another process or in a redelivery', async () => {
    await using database = await createTestDatabase();
    using receiver = createReceiver((_received, count) =>
      count === 0 ? new Response(null, { status: 500 }) : taken(),
    );
    const sent = () => receiver.received.map(({ headers, body }) => [JSON.parse(body).type, headers['traceparent']]);
    const { send, store } = await createTestApp({ store: await openTestStore(database.url) });
    const { id } = await store.webhooks.create({
      url: receiver.url,
      events: plantEventTypes,
      secret: generateSecret(),
    });
    const traceOf = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;

    const sending = await startSender(database.url);
    const body = '{"id":1,"name":"n"}';
    await send('POST', '/plants', { headers: { ...asJson, traceparent: traceOf('1') }, body });
    await until(async () => (await sending.deliveries.list(id, { limit: 1 }))[0]?.attempts.length === 1);
    expect(sent()).toEqual([['plant.created', traceOf('1')]]);

    await startSender(database.url);
    const [eventId] = receiver.received.map(({ headers }) => headers['webhook-id']);
    await store.deliveries.redeliver(id, eventId ?? '');
    await receiver.got(2);
    expect(sent()[1]).toEqual(['plant.created', traceOf('1')]);

    await send('PATCH', '/plants/1', { headers: { ...asJson, traceparent: traceOf('2') }, body: '{"tag":"t"}' });
    await receiver.got(3);
    await send('PATCH', '/plants/1', { headers: { ...asJson, traceparent: 'x' }, body: '{"tag":null}' });
    await receiver.got(4);
    await send('DELETE', '/plants/1', { headers: { traceparent: traceOf('3') } });
    await receiver.got(5);
    expect(sent().slice(2)).toEqual([
      ['plant.updated', traceOf('2')],
      ['plant.updated', undefined],
      ['plant.deleted', traceOf('3')],
    ]);
  });
});
