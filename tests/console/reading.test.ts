/** The arithmetic behind the charts of the console. */
import { expect, test } from 'bun:test';
import type { Sample } from '../../console/api/samples.ts';
import { pointOf, quantileMs, readingOf } from '../../console/health/reading.ts';

const samplesOf = (counts: Readonly<Record<string, readonly [fast: number, all: number]>>): readonly Sample[] =>
  Object.entries(counts).flatMap(([route, [fast, all]]) => {
    const labels = { http_route: route, http_response_status_code: route === '/broken' ? '503' : '200' };
    const name = 'http_server_request_duration_seconds';
    return [
      { name: `${name}_bucket`, labels: { ...labels, le: '0.01' }, value: fast },
      { name: `${name}_bucket`, labels: { ...labels, le: '0.1' }, value: all },
      { name: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: all },
      { name: `${name}_count`, labels, value: all },
    ];
  });

test('a rate is the difference over the time, of all routes but that of the metrics', () => {
  const before = readingOf(samplesOf({ '/plants': [10, 20], '/metrics': [5, 5] }), 1000);
  const after = readingOf(samplesOf({ '/plants': [10, 30], '/broken': [10, 10], '/metrics': [9, 9] }), 6000);
  expect(pointOf(before, after)).toMatchObject({ requestsPerSecond: 4, failuresPerSecond: 2, medianMs: 10 });
});

test('after a restart, the counters begin at 0', () => {
  const before = readingOf(samplesOf({ '/plants': [100, 200] }), 0);
  const after = readingOf(samplesOf({ '/plants': [10, 10] }), 5000);
  expect(pointOf(before, after)).toMatchObject({ requestsPerSecond: 2, medianMs: 5 });
});

test.each([
  [
    0.5,
    [
      [1, 0],
      [Number.POSITIVE_INFINITY, 0],
    ],
    undefined,
  ],
  [
    0.5,
    [
      [0.1, 50],
      [0.2, 100],
      [Number.POSITIVE_INFINITY, 100],
    ],
    100,
  ],
  [
    0.75,
    [
      [0.1, 50],
      [0.2, 100],
      [Number.POSITIVE_INFINITY, 100],
    ],
    150,
  ],
  [
    0.99,
    [
      [0.1, 0],
      [Number.POSITIVE_INFINITY, 10],
    ],
    100,
  ],
] as const)('the quantile %p of %p is %p ms', (quantile, buckets, expected) => {
  const actual = quantileMs(buckets, quantile);
  if (expected === undefined) expect(actual).toBeUndefined();
  else expect(actual).toBeCloseTo(expected, 9);
});
