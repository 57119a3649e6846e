/** The spans of a request, of the batch of its write and of the messages about it, as a collector receives them. */
import { expect, test } from 'bun:test';
import { generateSecret } from '../../src/base/signature.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { createLog } from '../../src/log.ts';
import { createPost } from '../../src/sender/attempt.ts';
import { startScheduler } from '../../src/sender/scheduler.ts';
import type { Store } from '../../src/store/store.ts';
import type { Tracer } from '../../src/telemetry/tracer.ts';
import { asJson, createTestApp, type TestApp } from '../support/app/app.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { type Collector, createCollector } from '../support/telemetry/collector.ts';
import { createTestTracer } from '../support/telemetry/tracer.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerId = '00f067aa0ba902b7';
const sampled = `00-${traceId}-${callerId}-01`;

const create = ({ send }: TestApp, id: number, traceparent: string): Promise<Response> =>
  send('POST', '/plants', { headers: { ...asJson, traceparent }, body: `{"id":${id},"name":"Monstera"}` });

/** An app with an empty database. The app and the store report to the tracer. */
const createTracedApp = async ({ url }: Collector) => {
  const database = await createTestDatabase();
  const tracer = createTestTracer(url);
  const app = await createTestApp({ store: await openTestStore(database.url, { observer: tracer }), tracer });
  const dispose = async (): Promise<void> => {
    await app.store.close();
    await database[Symbol.asyncDispose]();
  };
  return { app, tracer, [Symbol.asyncDispose]: dispose };
};

const deliver = (store: Store, tracer: Tracer) =>
  startScheduler({ store, tracer, post: createPost({ allowPrivate: true }), log: createLog('silent'), pollMs: 5 });

onBothEngines(() => {
  test('the spans of a creation, its commit and its message are in the trace of the client', async () => {
    using collector = createCollector();
    using receiver = createReceiver();
    await using traced = await createTracedApp(collector);
    const { app, tracer } = traced;
    const url = `${receiver.url}hidden?key=hidden`;
    const webhook = await app.store.webhooks.create({ url, events: plantEventTypes, secret: generateSecret() });
    expect((await create(app, 1, sampled)).status).toBe(200);
    const scheduler = deliver(app.store, tracer);
    const [message] = await receiver.got(1);
    await scheduler.stop(1000);
    await tracer.stop();

    const [request, commit, attempt] = ['POST /plants', 'commit', 'POST'].map(collector.span);
    expect(collector.spans.map((span) => span.traceId)).toEqual([traceId, traceId, traceId]);
    expect(request).toMatchObject({ kind: 'SERVER', parentSpanId: callerId, isError: false });
    expect(commit).toMatchObject({ kind: 'CLIENT', parentSpanId: request?.spanId, links: [request?.spanId] });
    expect(attempt).toMatchObject({ kind: 'CLIENT', parentSpanId: request?.spanId, isError: false });
    expect(message?.headers['traceparent']).toBe(`00-${traceId}-${attempt?.spanId}-01`);
    expect(attempt?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 204,
      'server.address': '127.0.0.1',
      'server.port': receiver.port,
      'url.scheme': 'http',
      'plant_store.webhook.id': webhook.id,
      'plant_store.event.id': message?.headers['webhook-id'],
    });
  });

  test('the span of a commit has a link to each request with a write in it', async () => {
    using collector = createCollector();
    await using traced = await createTracedApp(collector);
    const { app, tracer } = traced;
    await Promise.all([1, 2, 3].map((id) => create(app, id, sampled)));
    await tracer.stop();
    const requests = collector.spans.filter(({ name }) => name === 'POST /plants').map(({ spanId }) => spanId);
    const commits = collector.spans.filter(({ name }) => name === 'commit');
    expect(requests).toHaveLength(3);
    expect(commits.flatMap(({ links }) => links).sort()).toEqual(requests.sort());
    for (const { parentSpanId, links } of commits) expect(links[0]).toBe(parentSpanId);
  });

  test('a request that the client does not sample has no exported spans', async () => {
    using collector = createCollector();
    using receiver = createReceiver();
    await using traced = await createTracedApp(collector);
    const { app, tracer } = traced;
    await app.store.webhooks.create({ url: receiver.url, events: plantEventTypes, secret: generateSecret() });
    await create(app, 1, sampled.replace(/1$/, '0'));
    const scheduler = deliver(app.store, tracer);
    const [message] = await receiver.got(1);
    await scheduler.stop(1000);
    await tracer.stop();
    expect(message?.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    expect(collector.requests).toEqual([]);
  });
});
