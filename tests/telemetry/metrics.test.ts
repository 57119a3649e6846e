/** The list of all metrics, and the instruments that other parts of the service report to. */

import { expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { attemptFailures } from '../../src/deliveries/delivery.ts';
import { createMetrics, outcomeLabelOf, toStoreObserver } from '../../src/telemetry/metrics.ts';
import { parseMetrics, sampleValue } from '../support/telemetry/prometheus.ts';

test('every metric has a unique name in base units, and one sentence of help', () => {
  const { all } = createMetrics();
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, type, help, labels } of all) {
    expect(name).toMatch(/^(?:plant_store|http_server|process)_[a-z_]+$/);
    expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')]);
    expect(help).toMatch(/^[A-Z][ -[\]-~]+\.$/);
    for (const label of Object.keys(labels)) expect(label).toMatch(/^[a-z_]+$/);
  }
});

test('the labels of one series describe the build, and the series is omitted if it is unknown', async () => {
  const build = { version: '1.2.3', runtime: 'bun', runtime_version: '1.4.5', engine: 'sqlite' };
  const samples = parseMetrics(await createMetrics(build).scrape());
  expect(samples).toContainEqual({ name: 'plant_store_build_info', labels: build, value: 1 });
  expect(await createMetrics().scrape()).not.toContain('plant_store_build_info');
});

test('the memory, the CPU time and the start time of the process are correct', async () => {
  const metrics = createMetrics();
  const before = process.cpuUsage();
  const samples = parseMetrics(await metrics.scrape());
  const after = process.cpuUsage();
  expect(sampleValue(samples, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(sampleValue(samples, 'process_start_time_seconds')).toBeCloseTo(Date.now() / 1000 - process.uptime(), 0);
  const cpuMicros = sampleValue(samples, 'process_cpu_seconds_total') * 1e6;
  expect(cpuMicros).toBeGreaterThanOrEqual(before.user + before.system - 1);
  expect(cpuMicros).toBeLessThanOrEqual(after.user + after.system + 1);
});

test('the reports of an engine are counted: batches by outcome, events by type, and retries', async () => {
  const metrics = createMetrics();
  const { onBatch, onEvents, onRetry } = toStoreObserver(metrics);
  const batch = { writes: 3, queuedAtMs: 100, startedAtMs: 102, endedAtMs: 105, isCommitted: true, traceparents: [] };
  onBatch?.(batch);
  onBatch?.({ ...batch, writes: 600 });
  onBatch?.({ ...batch, writes: 50, isCommitted: false });
  onEvents?.('plant.created', 2);
  onEvents?.('plant.created', 1);
  onRetry?.('40001');
  const samples = parseMetrics(await metrics.scrape());
  for (const [name, labels, value] of [
    ['plant_store_batch_writes_sum', {}, 603],
    ['plant_store_batch_writes_bucket', { le: '2' }, 0],
    ['plant_store_batch_writes_bucket', { le: '4' }, 1],
    ['plant_store_batch_writes_bucket', { le: '+Inf' }, 2],
    ['plant_store_batch_wait_seconds_bucket', { le: '0.001' }, 0],
    ['plant_store_batch_wait_seconds_bucket', { le: '0.0025' }, 3],
    ['plant_store_batch_commit_duration_seconds_count', { outcome: 'committed' }, 2],
    ['plant_store_batch_commit_duration_seconds_bucket', { outcome: 'committed', le: '0.0025' }, 0],
    ['plant_store_batch_commit_duration_seconds_bucket', { outcome: 'committed', le: '0.005' }, 2],
    ['plant_store_batch_commit_duration_seconds_count', { outcome: 'failed' }, 1],
    ['plant_store_events_total', { type: 'plant.created' }, 3],
    ['plant_store_events_total', { type: 'plant.deleted' }, 0],
    ['plant_store_retries_total', { sqlstate: '40001' }, 1],
  ] as const) {
    expect([name, labels, sampleValue(samples, name, labels)]).toEqual([name, labels, value]);
  }
});

test('the outcome of an attempt is the class of its status, or the reason why there was no response', () => {
  const { attempts } = createMetrics();
  for (const [attempt, outcome] of [
    [{ status: 204 }, '2xx'],
    [{ status: 199 }, '1xx'],
    [{ status: 599 }, '5xx'],
    [{ status: 600 }, 'other'],
    [{ status: 999 }, 'other'],
    [{}, 'other'],
    [{ failure: 'timeout' }, 'timeout'],
  ] as const) {
    expect<string>(outcomeLabelOf(attempt)).toBe(outcome);
    expect(attempts.labels['outcome']).toContain(outcome);
  }
  expect(attempts.labels['outcome']).toEqual(expect.arrayContaining(Object.keys(attemptFailures)));
});

test('scrapes at the same time read once, and later ones read again', async () => {
  const metrics = createMetrics();
  let reads = 0;
  metrics.onScrape(async () => {
    reads += 1;
    await nextTurn();
    metrics.leases.set(reads);
  });
  const [one, two] = await Promise.all([metrics.scrape(), metrics.scrape()]);
  expect([two, sampleValue(parseMetrics(one), 'plant_store_leases')]).toEqual([one, 1]);
  expect(sampleValue(parseMetrics(await metrics.scrape()), 'plant_store_leases')).toBe(2);
});

test('a scrape fails when a value cannot be read, and the next one reads again', async () => {
  const metrics = createMetrics();
  let isAway = true;
  metrics.onScrape(() => (isAway ? Promise.reject(new Error('away')) : undefined));
  await expect(metrics.scrape()).rejects.toThrow('away');
  isAway = false;
  expect(await metrics.scrape()).toContain('plant_store_leases 0\n');
});
