/** The content of the spans, and which of them are exported. */
import { describe, expect, test } from 'bun:test';
import { type SamplerName, samplerNames } from '../../src/config/setting-values-tracing.ts';
import type { Delivery } from '../../src/deliveries/delivery.ts';
import type { Batch } from '../../src/storage/observer.ts';
import type { AttemptSpan } from '../../src/telemetry/tracer.ts';
import type { WebhookRecord } from '../../src/webhooks/webhook.ts';
import { createTestApp } from '../support/app/app.ts';
import { createCollector } from '../support/telemetry/collector.ts';
import { createTestTracer } from '../support/telemetry/tracer.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = (flags: string, spanId = '00f067aa0ba902b7'): string => `00-${traceId}-${spanId}-${flags}`;

describe('the span of a request', () => {
  test.each([
    ['GET', '/plants/1', 'GET /plants/{id}', { 'http.route': '/plants/{id}', 'http.response.status_code': 404 }],
    ['GET', '/nowhere', 'GET', { 'http.response.status_code': 404 }],
    ['DELETE', '/plants', 'DELETE /plants', { 'http.route': '/plants', 'http.response.status_code': 405 }],
  ])(
    'the span of %s %s has the name of its operation and the attributes of the semantic conventions',
    async (method, path, name, own) => {
      using collector = createCollector();
      const tracer = createTestTracer(collector.url);
      const { send } = await createTestApp({ tracer });
      await send(method, path);
      await tracer.stop();
      const { parentSpanId, kind, isError, attributes, resource } = collector.span(name);
      expect({ parentSpanId, kind, isError }).toEqual({ parentSpanId: '', kind: 'SERVER', isError: false });
      expect(attributes).toEqual({ 'http.request.method': method, 'url.scheme': 'http', ...own });
      expect(resource).toMatchObject({ 'service.name': 'plant-store', 'service.version': '1.2.3' });
    },
  );

  test('the span of a request has the time of the request', async () => {
    using collector = createCollector();
    const tracer = createTestTracer(collector.url);
    const beforeMs = Date.now();
    const span = tracer.startRequest(undefined);
    await Bun.sleep(20);
    span.end({ method: 'GET', route: null, status: 200, hasFailed: false });
    const afterMs = Date.now();
    await tracer.stop();
    const { startMs, endMs } = collector.span('GET');
    expect(startMs).toBeWithin(beforeMs - 1, afterMs - 18);
    expect(endMs).toBeWithin(startMs + 19, afterMs + 2);
  });

  test('the span of a request is an error if the service has failed, and not if the client has', async () => {
    using collector = createCollector();
    const tracer = createTestTracer(collector.url);
    for (const status of [499, 500])
      tracer.startRequest(undefined).end({ method: 'GET', route: `/${status}`, status, hasFailed: status === 500 });
    await tracer.stop();
    expect(collector.span('GET /499')).toMatchObject({ isError: false });
    expect(collector.span('GET /499').attributes).not.toHaveProperty('error.type');
    expect(collector.span('GET /500')).toMatchObject({ isError: true, attributes: { 'error.type': '500' } });
  });

  test('the span of a request has no text from the client, except a known HTTP method', async () => {
    using collector = createCollector();
    const tracer = createTestTracer(collector.url);
    const { send } = await createTestApp({ tracer });
    const headers = {
      'user-agent': 'hidden',
      'x-request-id': 'hidden',
      host: 'hidden.example',
      tracestate: 'hidden=1',
    };
    await send('GET', '/hidden/hidden?token=hidden', { headers });
    await send('GET', '/plants?tag=hidden', { headers, authorization: 'Bearer hidden' });
    tracer.startRequest(undefined).end({ method: 'HIDDEN', route: null, status: 405, hasFailed: false });
    await tracer.stop();
    expect(collector.spans).toHaveLength(3);
    expect(collector.span('HTTP').attributes).toMatchObject({ 'http.request.method': '_OTHER' });
    for (const { body } of collector.requests)
      expect(Buffer.from(body).toString().toLowerCase()).not.toContain('hidden');
  });
});

describe('the span of an attempt', () => {
  const webhook: WebhookRecord = {
    id: 'wh_1',
    url: 'https://receiver.example/hidden?key=hidden',
    events: ['plant.deleted'],
    createdAt: '2026-01-01T00:00:00.000Z',
    secrets: [{ text: 'whsec_hidden' }],
    position: 0n,
  };
  const delivery: Delivery = {
    webhookId: 'wh_1',
    event: { sequence: 7n, type: 'plant.deleted', timestamp: '2026-01-01T00:00:00.000Z', id: 1n },
    attempts: [],
    attemptsInRound: 2,
  };

  const trace = async (end: (span: AttemptSpan) => void) => {
    const collector = createCollector();
    const tracer = createTestTracer(collector.url);
    end(tracer.startAttempt(webhook, delivery));
    await tracer.stop();
    collector[Symbol.dispose]();
    return collector;
  };

  test.each([
    [{ status: 302 }, { 'http.response.status_code': 302, 'error.type': '302' }],
    [{ status: 500 }, { 'http.response.status_code': 500, 'error.type': '500' }],
    [{ failure: 'timeout' }, { 'error.type': 'timeout' }],
  ] as const)('the span of an attempt that fails with %p has the reason', async (outcome, attributes) => {
    const collector = await trace((span) => span.end({ at: '', durationMs: 1, ...outcome }));
    const { isError, attributes: all } = collector.span('POST');
    expect(isError).toBe(true);
    expect(all).toMatchObject(attributes);
  });

  test('the span of an attempt that a stop has aborted has the error type `stopped`', async () => {
    const collector = await trace((span) => span.end(undefined));
    expect(collector.span('POST')).toMatchObject({ isError: true, attributes: { 'error.type': 'stopped' } });
  });

  test('the span of an attempt without a trace starts one, counts earlier attempts, and has no secrets', async () => {
    const collector = await trace((span) => span.end({ at: '', durationMs: 1, status: 200 }));
    const { parentSpanId, isError, attributes } = collector.span('POST');
    expect({ parentSpanId, isError }).toEqual({ parentSpanId: '', isError: false });
    expect(attributes).toMatchObject({
      'server.address': 'receiver.example',
      'server.port': 443,
      'url.scheme': 'https',
    });
    expect(attributes['http.request.resend_count']).toBe(2);
    for (const { body } of collector.requests) expect(Buffer.from(body).toString()).not.toContain('hidden');
  });
});

describe('the span of a batch', () => {
  const record = async (batch: Partial<Batch>) => {
    const collector = createCollector();
    const tracer = createTestTracer(collector.url);
    const nowMs = performance.now();
    const times = { queuedAtMs: nowMs - 30, startedAtMs: nowMs - 20, endedAtMs: nowMs };
    tracer.onBatch({ writes: 1, isCommitted: true, traceparents: [], ...times, ...batch });
    await tracer.stop();
    collector[Symbol.dispose]();
    return collector;
  };

  test('the span of a batch has its time, its number of writes, and a link to each sampled request', async () => {
    const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(16));
    const traceparents = [parent('00', one), parent('01', two), parent('03', three)];
    const beganAtMs = Date.now();
    const collector = await record({ writes: 4, traceparents });
    const { links, parentSpanId, startMs, endMs, attributes, isError } = collector.span('commit');
    expect({ links, parentSpanId, isError }).toEqual({
      links: ['2'.repeat(16), '3'.repeat(16)],
      parentSpanId: '2'.repeat(16),
      isError: false,
    });
    expect(attributes).toEqual({ 'db.system.name': 'sqlite', 'plant_store.batch.writes': 4 });
    expect(endMs - startMs).toBeCloseTo(20, 2);
    expect(endMs).toBeWithin(beganAtMs - 1, Date.now() + 1);
  });

  test('the span of the largest batch has all its links', async () => {
    const traceparents = Array.from({ length: 512 }, (_, index) => parent('01', `${index + 1}`.padStart(16, '0')));
    const collector = await record({ traceparents });
    expect(collector.span('commit').links).toHaveLength(512);
  });

  test('the span of a batch is an error if the batch was not committed', async () => {
    const collector = await record({ isCommitted: false, traceparents: [parent('01')] });
    expect(collector.span('commit').isError).toBe(true);
  });

  test.each([[[]], [[parent('00')]]])(
    'the span of a batch is not exported if no request of %p is sampled',
    async (traceparents) => {
      const collector = await record({ traceparents });
      expect(collector.requests).toEqual([]);
    },
  );
});

describe('the sampler', () => {
  /** Whether a trace is sampled: started by the service, not sampled by the client, and sampled by the client. */
  const expected: Readonly<Record<SamplerName, [number, readonly boolean[]][]>> = {
    always_on: [[0, [true, true, true]]],
    always_off: [[1, [false, false, false]]],
    traceidratio: [
      [1, [true, true, true]],
      [0, [false, false, false]],
    ],
    parentbased_always_on: [[0, [true, false, true]]],
    parentbased_always_off: [[1, [false, false, true]]],
    parentbased_traceidratio: [
      [1, [true, false, true]],
      [0, [false, false, true]],
    ],
  };

  test.each(samplerNames)('the sampler %s decides as OpenTelemetry specifies', (sampler) => {
    for (const [samplerRatio, decisions] of expected[sampler]) {
      const tracer = createTestTracer('http://127.0.0.1:1', { sampler, samplerRatio });
      const spans = [undefined, parent('00'), parent('01')].map((traceparent) => tracer.startRequest(traceparent));
      expect(spans.map(({ traceparent }) => traceparent.endsWith('1'))).toEqual([...decisions]);
    }
  });
});
