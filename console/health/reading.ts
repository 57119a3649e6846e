/** What the charts show, from two readings of the metrics: a rate is the difference of a counter over the time between them. */
import type { Sample } from '../api/samples.ts';

export interface Reading {
  readonly atMs: number;
  readonly requests: number;
  readonly failures: number;
  /** The number of requests up to each bound in seconds, ascending. */
  readonly buckets: readonly (readonly [bound: number, count: number])[];
  readonly active: number;
  readonly queued: number;
  readonly lag: number;
}

export interface Point {
  readonly atMs: number;
  readonly requestsPerSecond: number;
  readonly failuresPerSecond: number;
  /** Undefined if there was no request. */
  readonly medianMs: number | undefined;
  readonly p99Ms: number | undefined;
  readonly active: number;
  readonly queued: number;
  readonly lag: number;
}

const duration = 'http_server_request_duration_seconds';

/** Requests for the metrics are not counted: the page itself makes them. */
export const readingOf = (all: readonly Sample[], atMs: number): Reading => {
  const samples = all.filter(({ labels }) => labels['http_route'] !== '/metrics');
  const sumOf = (name: string, matches: (sample: Sample) => boolean = () => true): number =>
    samples.filter((sample) => sample.name === name && matches(sample)).reduce((sum, { value }) => sum + value, 0);
  const bounds = new Set(samples.filter(({ name }) => name === `${duration}_bucket`).map(({ labels }) => labels['le']));
  return {
    atMs,
    requests: sumOf(`${duration}_count`),
    failures: sumOf(`${duration}_count`, ({ labels }) => labels['http_response_status_code']?.startsWith('5') ?? false),
    buckets: [...bounds]
      .map((bound) => [boundOf(bound), sumOf(`${duration}_bucket`, ({ labels }) => labels['le'] === bound)] as const)
      .toSorted(([a], [b]) => a - b),
    active: Math.max(0, sumOf('http_server_active_requests') - 1),
    queued: sumOf('plant_store_queued_writes'),
    lag: sumOf('plant_store_webhook_lag_events'),
  };
};

const boundOf = (text: string | undefined): number => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text));

/** After a restart, the counters of `after` begin at 0. */
export const pointOf = (before: Reading, after: Reading): Point => {
  const from = after.requests < before.requests ? undefined : before;
  const seconds = (after.atMs - before.atMs) / 1000;
  const rate = (value: number, earlier = 0): number => Math.max(0, value - earlier) / seconds;
  const buckets = after.buckets.map(([bound, count]) => {
    const earlier = from?.buckets.find(([other]) => other === bound)?.[1] ?? 0;
    return [bound, count - earlier] as const;
  });
  return {
    atMs: after.atMs,
    requestsPerSecond: rate(after.requests, from?.requests),
    failuresPerSecond: rate(after.failures, from?.failures),
    medianMs: quantileMs(buckets, 0.5),
    p99Ms: quantileMs(buckets, 0.99),
    active: after.active,
    queued: after.queued,
    lag: after.lag,
  };
};

/** The quantile by linear interpolation within its bucket, as Prometheus does. Beyond the last bound, it is that bound. */
export const quantileMs = (buckets: Reading['buckets'], quantile: number): number | undefined => {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const rank = quantile * total;
  const index = buckets.findIndex(([, count]) => count >= rank);
  const [lower, below] = buckets[index - 1] ?? [0, 0];
  const [upper, count] = buckets[index] ?? [0, 0];
  return 1000 * (Number.isFinite(upper) ? lower + ((upper - lower) * (rank - below)) / (count - below) : lower);
};
