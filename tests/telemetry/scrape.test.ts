import { expect, test } from 'bun:test';
import { operations } from '../../src/app/app.ts';
import { errors } from '../../src/base/app-error.ts';
import { generateSecret } from '../../src/base/signature.ts';
import { knownMethods } from '../../src/base/trace-context.ts';
import { readConfig } from '../../src/config/config.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { pathOf } from '../../src/http/operation.ts';
import { createMetrics, toStoreObserver } from '../../src/telemetry/metrics.ts';
import { asJson, create, createTestApp, giveToken, type TestApp } from '../support/app/app.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { asStream } from '../support/streams/event-stream.ts';
import { parseMetrics, type Sample, samplesOf, sampleValue } from '../support/telemetry/prometheus.ts';
import { attemptNew } from '../support/webhooks/attempts.ts';

const scrape = async ({ send }: TestApp): Promise<Sample[]> =>
  parseMetrics(await (await send('GET', '/metrics')).text());

const duration = 'http_server_request_duration_seconds';

test('each of many concurrent requests is counted once, by its method, route and status', async () => {
  const app = await createTestApp({ metrics: createMetrics() });
  await create(app, '{"id":1,"name":"n"}');
  const requests = [
    ['GET', '/plants/1', 200, '/plants/{id}', 7],
    ['GET', '/plants/2', 404, '/plants/{id}', 5],
    ['HEAD', '/plants/1', 200, '/plants/{id}', 4],
    ['GET', '/plants/x', 400, '/plants/{id}', 3],
    ['PUT', '/plants/1', 405, '/plants/{id}', 2],
    ['OPTIONS', '/plants', 204, '/plants', 2],
    ['GET', '/nowhere', 404, undefined, 3],
    ['GET', '/healthz', 200, '/healthz', 6],
    ['PROPFIND', '/plants', 405, '/plants', 2],
  ] as const;
  const all = requests.flatMap(([method, path, status, , count]) =>
    Array.from({ length: count }, async () => {
      const response = await app.send(method, path);
      await response.text();
      expect([method, path, response.status]).toEqual([method, path, status]);
    }),
  );
  await Promise.all(all);
  const samples = await scrape(app);
  for (const [method, , status, route, count] of requests) {
    const labels = {
      http_request_method: method === 'PROPFIND' ? '_OTHER' : method,
      ...(route !== undefined && { http_route: route }),
      http_response_status_code: `${status}`,
    };
    const isSame = (one: Sample): boolean => 'http_route' in one.labels === (route !== undefined);
    const buckets = samplesOf(samples, `${duration}_bucket`, labels).filter(isSame);
    const counts = buckets.map(({ value }) => value);
    expect([labels, counts.at(-1)]).toEqual([labels, count]);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(buckets.at(-1)?.labels['le']).toBe('+Inf');
    const [total, ...others] = samplesOf(samples, `${duration}_count`, labels).filter(isSame);
    expect([total?.value, others]).toEqual([count, []]);
    const [sum] = samplesOf(samples, `${duration}_sum`, labels).filter(isSame);
    expect(sum?.value).toBeGreaterThan(0);
    // The bound of a bucket that has all values limits each value, and so the sum.
    const reached = buckets.find(({ value }) => value === count)?.labels['le'];
    if (reached !== '+Inf') expect(sum?.value).toBeLessThanOrEqual(count * Number(reached));
  }
  const sent = requests.reduce((total, [, , , , count]) => total + count, 0);
  const counted = samplesOf(samples, `${duration}_count`).reduce((total, { value }) => total + value, 0);
  // The creation is counted too, and the scrape is not.
  expect(counted).toBe(sent + 1);
  expect(sampleValue(samples, 'http_server_active_requests')).toBe(1);
});

test('a request that waits for its body is active until the response is sent', async () => {
  const app = await createTestApp();
  const body = Promise.withResolvers<void>();
  const waiting = create(
    app,
    new ReadableStream({
      pull: async (controller) => {
        await body.promise;
        controller.enqueue(new TextEncoder().encode('{"id":1,"name":"n"}'));
        controller.close();
      },
    }),
  );
  expect(sampleValue(await scrape(app), 'http_server_active_requests')).toBe(2);
  body.resolve();
  expect((await waiting).status).toBe(200);
  expect(sampleValue(await scrape(app), 'http_server_active_requests')).toBe(1);
});

test('no input from a client becomes the value of a label, and the number of series is limited', async () => {
  const app = await createTestApp({ metrics: createMetrics() });
  const attack = async (round: number): Promise<void> => {
    const evil = `evil"} 1\n${round}`;
    const inPath = encodeURIComponent(evil);
    const name = JSON.stringify(evil);
    const body = `{"id":${round},"name":${name},"tag":${name}}`;
    const webhook = `{"url":"https://evil${round}.com/${inPath}","description":${name}}`;
    const token = await giveToken(app.store, { name: evil });
    const headers = {
      ...asJson,
      'x-request-id': `evil-${round}`,
      'user-agent': `evil-${round}`,
      host: `evil${round}`,
      'x-forwarded-for': `evil-${round}`,
      origin: `https://evil${round}.com`,
      traceparent: `00-${'e'.repeat(30)}${10 + (round % 90)}-00f067aa0ba902b7-01`,
    };
    for (const method of [...knownMethods, 'PROPFIND', 'MKCOL', 'QUERY']) {
      for (const path of [
        '/plants',
        `/plants/${round}`,
        `/plants/${inPath}`,
        `/${inPath}`,
        '/*',
        '/plants/:id',
        '/webhooks',
        '/metrics',
      ]) {
        const hasBody = ['POST', 'PATCH', 'PUT'].includes(method);
        const content = path === '/webhooks' ? webhook : body;
        for (const query of ['', `?${inPath}=${inPath}`])
          await app.send(method, path + query, { headers, ...(hasBody && { body: content }) });
        await app.send(method, path, { headers, authorization: `Bearer ${inPath}` });
      }
    }
    await app.send('GET', '/plants', { authorization: `Bearer ${token}` });
    for (const { id } of await app.store.webhooks.list()) await app.store.webhooks.delete(id);
  };
  await attack(1);
  const seriesAfterOne = await scrape(app);
  for (let round = 2; round < 5; round += 1) await attack(round);
  await app.store.webhooks.create({ url: 'https://evil.com/', events: plantEventTypes, secret: generateSecret() });
  const [webhook] = await app.store.webhooks.list();
  const samples = await scrape(app);
  const ofWebhook = samples.filter(({ labels }) => labels['webhook_id'] !== undefined);
  expect(samples.length - ofWebhook.length).toBe(seriesAfterOne.length);

  const served = [
    '/',
    '/healthz',
    '/readyz',
    '/swagger',
    '/swagger/json',
    '/console',
    '/lessons',
    '/openapi.json',
    '/openapi.yaml',
    '/openapi-3.0.json',
    '/openapi-3.2.json',
  ];
  const found: Readonly<Record<string, readonly string[]>> = {
    http_route: [...Object.values(operations).map(pathOf), ...served],
    http_response_status_code: [
      ...[200, 201, 202, 204, 302, 304].map(String),
      ...Object.values(errors).map(({ number }) => `${Math.floor(number / 100)}`),
    ],
    webhook_id: [webhook?.id ?? ''],
  };
  const { all } = createMetrics();
  let values = 0;
  for (const { name, labels } of samples) {
    const metric = all.find((one) => one.name === name.replace(/_(?:bucket|sum|count)$/, ''));
    for (const [label, value] of Object.entries(labels)) {
      const isNumber = (label === 'le' || label === 'quantile') && /^(?:\+Inf|[0-9.]+)$/.test(value);
      const known = metric?.labels[label] ?? [];
      const isKnown = (known.length > 0 ? known : (found[label] ?? [])).includes(value);
      expect([name, label, value, isNumber || isKnown]).toEqual([name, label, value, true]);
      values += 1;
    }
  }
  expect(values).toBeGreaterThan(1000);
});

test('requests that exceed a rate limit are counted by policy', async () => {
  const metrics = createMetrics();
  const app = await createTestApp({ metrics, config: readConfig({}, { RATE_LIMIT: '2/1h' }) });
  const statuses: number[] = [];
  for (const authorization of [null, null, null, undefined, undefined, undefined, undefined])
    statuses.push((await app.send('GET', '/token', authorization === null ? { authorization } : {})).status);
  expect(statuses).toEqual([401, 401, 429, 200, 200, 429, 429]);
  const samples = parseMetrics(await metrics.scrape());
  const count = (policy: string) => sampleValue(samples, 'plant_store_rate_limited_requests_total', { policy });
  expect([count('address'), count('token')]).toEqual([1, 2]);
});

test('the metrics count open streams, and streams that the service has ended', async () => {
  const metrics = createMetrics();
  const stop = new AbortController();
  const app = await createTestApp({ metrics, stopping: stop.signal });
  const read = async (): Promise<number[]> => {
    const samples = parseMetrics(await metrics.scrape());
    const stopped = sampleValue(samples, 'plant_store_stream_disconnects_total', { reason: 'stopping' });
    return [sampleValue(samples, 'plant_store_streams'), stopped];
  };
  const open = () => app.send('GET', '/events', { headers: asStream });
  const streams = [await open(), await open(), await open()];
  expect(await read()).toEqual([3, 0]);
  await streams[0]?.body?.cancel();
  expect(await read()).toEqual([2, 0]);
  stop.abort();
  expect(await read()).toEqual([0, 2]);
});

test('the metrics are not cacheable, and cannot be read with a token without their scope', async () => {
  const app = await createTestApp();
  const response = await app.send('GET', '/metrics');
  expect([response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
    'text/plain; version=0.0.4',
    'no-store',
  ]);
  const head = await app.send('HEAD', '/metrics');
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/plain; version=0.0.4',
    '',
  ]);
  const scopes = ['plants:read', 'plants:write', 'webhooks:read', 'webhooks:write'] as const;
  const authorization = `Bearer ${await giveToken(app.store, { scopes })}`;
  expect((await app.send('GET', '/metrics', { authorization })).status).toBe(403);
});

onBothEngines(() => {
  test('the metrics of the log and of each webhook are current at each scrape', async () => {
    const store = await openTestStore();
    const app = await createTestApp({ store: { ...store, queued: () => 7 } });
    const shown = async () => {
      const samples = await scrape(app);
      expect(sampleValue(samples, 'plant_store_queued_writes')).toBe(7);
      return ['plant_store_log_first', 'plant_store_log_head'].map((name) => sampleValue(samples, name));
    };
    expect(await shown()).toEqual([0, 0]);
    const add = () =>
      store.webhooks.create({ url: 'https://example.com/', events: plantEventTypes, secret: generateSecret() });
    const [idle, failing, gone] = [await add(), await add(), await add()];
    for (const id of [1, 2, 3]) await create(app, `{"id":${id},"name":"n"}`);
    expect(await shown()).toEqual([1, 3]);

    const at = new Date(Date.now() - 90_000).toISOString();
    await attemptNew(store, failing, { at, durationMs: 1, failure: 'timeout' }, at);
    await attemptNew(store, gone, { at, durationMs: 1, status: 410 });
    await create(app, '{"id":4,"name":"n"}');
    const ofWebhook = async (name: string) => {
      const samples = await scrape(app);
      return [idle, failing, gone].map(({ id }) => sampleValue(samples, name, { webhook_id: id }));
    };
    expect(await ofWebhook('plant_store_webhook_lag_events')).toEqual([4, 1, 1]);
    expect(await ofWebhook('plant_store_webhook_enabled')).toEqual([1, 1, 0]);
    const [healthy, failingSeconds] = await ofWebhook('plant_store_webhook_failing_seconds');
    expect(healthy).toBe(0);
    expect(failingSeconds).toBeWithin(90, 150);

    for (const { id } of [idle, failing, gone]) await store.webhooks.delete(id);
    expect(samplesOf(await scrape(app), 'plant_store_webhook_enabled')).toEqual([]);
    await store.events.prune('9999-01-01T00:00:00.000Z', 100);
    expect(await shown()).toEqual([4, 4]);
  });

  test('every write is counted in a batch, and every change is counted as an event', async () => {
    await using database = await createTestDatabase();
    const metrics = createMetrics();
    const app = await createTestApp({
      store: await openTestStore(database.url, { observer: toStoreObserver(metrics) }),
      metrics,
    });
    const count = (samples: readonly Sample[]) => ({
      writes: sampleValue(samples, 'plant_store_batch_writes_sum'),
      batches: sampleValue(samples, 'plant_store_batch_writes_count'),
      waits: sampleValue(samples, 'plant_store_batch_wait_seconds_count'),
    });
    const before = count(await scrape(app));
    const ids = [1, 2, 3, 4, 5];
    await Promise.all(ids.map((id) => create(app, `{"id":${id},"name":"n"}`)));
    await app.send('PATCH', '/plants/1', { headers: asJson, body: '{"tag":"t"}' });
    await app.send('PATCH', '/plants/1', { headers: asJson, body: '{"tag":"t"}' });
    await app.send('DELETE', '/plants/1');
    await app.send('DELETE', '/plants/1');
    const samples = await scrape(app);
    const after = count(samples);
    expect(after.writes - before.writes).toBe(9);
    expect(after.batches - before.batches).toBeWithin(5, 10);
    expect(after.waits).toBe(after.batches);
    const events = samplesOf(samples, 'plant_store_events_total').map(({ labels, value }) => [labels['type'], value]);
    expect(events).toEqual([
      ['plant.created', 5],
      ['plant.updated', 1],
      ['plant.deleted', 1],
      ['plant.picture.updated', 0],
      ['plant.picture.deleted', 0],
    ]);
  });
});

/** Part of the Debian package prometheus. */
const promtool = Bun.which('promtool');

test.skipIf(promtool === null)('promtool of Prometheus accepts the metrics (skipped without it)', async () => {
  const metrics = createMetrics({ version: '1.0.0', runtime: 'bun', runtime_version: Bun.version, engine: 'sqlite' });
  const app = await createTestApp({ metrics });
  await create(app, '{"id":1,"name":"n"}');
  await app.send('POST', '/webhooks', { headers: asJson, body: '{"url":"https://example.com/"}' });
  metrics.retries.add(1, { sqlstate: '40001' });
  metrics.backupTime.set(1);
  metrics.batchWait.observe(1e-7);
  await app.send('GET', '/metrics');
  const text = await (await app.send('GET', '/metrics')).text();
  for (const { name } of metrics.all) expect(text).toContain(`# TYPE ${name} `);
  expect(await check(text)).toEqual({ exitCode: 0, output: '' });
  expect(
    (await check(text.replace('# TYPE plant_store_streams gauge', '# TYPE plant_store_streams count'))).exitCode,
  ).not.toBe(0);
});

const check = async (text: string) => {
  const child = Bun.spawn(['promtool', 'check', 'metrics'], {
    stdin: new Blob([text]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, output: out + err };
};
