/** The export of spans, also to collectors that do not accept them. */
import { describe, expect, test } from 'bun:test';
import { createLog, type Log } from '../../src/log.ts';
import { createLossLog, stopMsMax, waitingSpansMax } from '../../src/telemetry/opentelemetry.ts';
import { createTestApp } from '../support/app/app.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { createCollector } from '../support/telemetry/collector.ts';
import { createTestTracer } from '../support/telemetry/tracer.ts';

interface Loss {
  readonly spans: number;
  readonly reason: string;
  readonly collector: string;
}

/** A log that records the reports of lost spans. */
const createLosses = () => {
  const losses: Loss[] = [];
  const warn = (loss: Loss, message: string): void => {
    if (message === 'spans lost') losses.push(loss);
  };
  const log: Log = Object.assign(Object.create(createLog('silent')), { warn });
  return { log, losses, count: () => losses.reduce((sum, { spans }) => sum + spans, 0) };
};

const hang = (): Promise<Response> => new Promise(() => {});
const status = (code: number) => () => new Response('no', { status: code, headers: { 'retry-after': '0' } });

describe('a collector that fails', () => {
  test.each([
    ['does not respond', hang, 3],
    ['responds with 503', status(503), 3],
    ['responds with 400', status(400), 3],
    ['accepts the spans and responds with an invalid body', () => new Response('\u00ff<html>'), 0],
  ])('a collector that %s delays no request and no stop', async (_, answer, lost) => {
    using collector = createCollector(answer);
    const { log, losses, count } = createLosses();
    const tracer = createTestTracer(collector.url, { log });
    const { send } = await createTestApp({ tracer });
    for (const path of ['/plants', '/plants', '/plants']) expect((await send('GET', path)).status).toBe(200);
    using clock = stopClock();
    let isStopped = false;
    const stopping = tracer.stop().finally(() => {
      isStopped = true;
    });
    await clock.pass(stopMsMax + 500);
    expect(isStopped).toBe(true);
    await stopping;
    expect(count()).toBe(lost);
    for (const loss of losses) expect(loss.collector).toBe(collector.url);
    expect(collector.requests.length).toBeGreaterThan(0);
  });

  test('a collector that is not running delays no request and no stop', async () => {
    const { log, count } = createLosses();
    const tracer = createTestTracer('http://127.0.0.1:1', { log });
    const { send } = await createTestApp({ tracer });
    expect((await send('GET', '/plants')).status).toBe(200);
    using clock = stopClock();
    await clock.passUntil(tracer.stop());
    expect(count()).toBe(1);
  });
});

test('spans beyond the limit of the queue are lost and counted, in at most two lines of the log', async () => {
  using collector = createCollector(hang);
  const { log, losses, count } = createLosses();
  const tracer = createTestTracer(collector.url, { log });
  const spans = 5 * waitingSpansMax;
  for (let number = 0; number < spans; number += 1)
    tracer.startRequest(undefined).end({ method: 'GET', route: null, status: 200, hasFailed: false });
  using clock = stopClock();
  await clock.passUntil(tracer.stop());
  expect(count()).toBe(spans);
  expect(losses.length).toBeLessThanOrEqual(2);
  expect(losses[0]).toMatchObject({ spans: 1, reason: 'the queue is full' });
  expect(collector.spans.length).toBeLessThanOrEqual(waitingSpansMax + 512);
});

test('a stop exports all spans of a full queue', async () => {
  using collector = createCollector();
  const { log, count } = createLosses();
  const tracer = createTestTracer(collector.url, { log, stopMs: 60_000 });
  for (let number = 0; number < waitingSpansMax; number += 1)
    tracer.startRequest(undefined).end({ method: 'GET', route: null, status: 200, hasFailed: false });
  await tracer.stop();
  expect(collector.spans).toHaveLength(waitingSpansMax);
  expect(count()).toBe(0);
});

test('the log reports the first lost spans immediately, and the number of later ones in the next report', () => {
  const { log, losses } = createLosses();
  const { count, report } = createLossLog(log, 'http://collector.example');
  count(512, 'the first reason');
  count(3, 'another reason');
  count(4, 'the last reason');
  expect(losses.map(({ spans, reason }) => [spans, reason])).toEqual([[512, 'the first reason']]);
  report();
  report();
  expect(losses.slice(1)).toEqual([{ spans: 7, reason: 'the last reason', collector: 'http://collector.example' }]);
});

test('an export has the path and the headers from the settings', async () => {
  using collector = createCollector();
  const tracer = createTestTracer(`${collector.url}/base/`, { headers: { 'x-key': 'a b' } });
  tracer.startRequest(undefined).end({ method: 'GET', route: null, status: 200, hasFailed: false });
  await tracer.stop();
  const [request] = collector.requests;
  expect(request?.path).toBe('/base/v1/traces');
  expect(request?.headers.get('x-key')).toBe('a b');
  expect(request?.headers.get('content-type')).toBe('application/x-protobuf');
});
