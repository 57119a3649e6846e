/** All metrics of the service, by the names of OpenTelemetry where it has one. No client can choose the value of a label. */
import { createEventLoopDelay } from './base/event-loop-delay.ts';
import { knownMethods, otherMethod } from './base/http-method.ts';
import { anyValue, counter, gauge, histogram, type Instrument, summary, toPrometheusText } from './base/instrument.ts';
import { type Attempt, attemptFailures, attemptTimeoutMs } from './domain/delivery.ts';
import { plantEventTypes } from './domain/event.ts';
import type { StoreObserver } from './store/observer.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** What runs: the version of the program and of Bun, and the engine of the store. */
export type Build = Readonly<Record<'version' | 'bun' | 'engine', string>>;

/** Without `build` there is no `plant_store_build_info`. */
export const createMetrics = (build?: Build) => {
  const instruments = createInstruments();
  const all: readonly Instrument[] = Object.values(instruments);
  const readEventLoopDelay = createEventLoopDelay();
  const readers: (() => unknown)[] = [];
  let underWay: Promise<string> | undefined;

  if (build) instruments.buildInfo.set(1, build);
  instruments.processStartTime.set(performance.timeOrigin / 1000);

  const readProcess = (): void => {
    const { user, system } = process.cpuUsage();
    instruments.processCpu.set((user + system) / 1e6);
    instruments.processMemory.set(process.memoryUsage.rss());
    const { quantiles, count, sum } = readEventLoopDelay();
    instruments.eventLoopDelay.set(quantiles, { count, sum });
  };

  const scrape = async (): Promise<string> => {
    await Promise.all(readers.map((read) => read()));
    readProcess();
    return toPrometheusText(all);
  };

  return {
    ...instruments,
    all,
    /** Calls `read` at each scrape, to set what is not kept up to date. When it rejects, so does the scrape. */
    onScrape: (read: () => unknown): void => void readers.push(read),
    /** Resolves to the text of all metrics. Those who ask at once get the same text. */
    scrape: (): Promise<string> => {
      underWay ??= scrape().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
};

/** Counts what an engine reports, and passes batches on. */
export const toStoreObserver = (
  { batchWrites, batchWait, batchDuration, events, retries }: Metrics,
  onBatch?: StoreObserver['onBatch'],
): StoreObserver => ({
  onBatch: (batch) => {
    onBatch?.(batch);
    const { writes, queuedAtMs, startedAtMs, endedAtMs, isCommitted } = batch;
    if (isCommitted) batchWrites.observe(writes);
    batchWait.observe((startedAtMs - queuedAtMs) / 1000);
    batchDuration.observe((endedAtMs - startedAtMs) / 1000, { outcome: isCommitted ? 'committed' : 'failed' });
  },
  onEvents: (type, count) => events.add(count, { type }),
  onRetry: (sqlState) => retries.add(1, { sqlstate: sqlState }),
});

/** The outcome of an attempt: the class of the status, or why there was no answer. */
export const outcomeOf = ({ status, failure }: Pick<Attempt, 'status' | 'failure'>) =>
  failure ?? statusClasses[Math.floor((status ?? 0) / 100) - 1] ?? 'other';

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Most requests take less than the least bound of OpenTelemetry, which is 5 ms. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const writesBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

const createInstruments = () => ({
  requestDuration: histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the head of a request to the beginning of its answer.',
    labels: {
      http_request_method: [...knownMethods, otherMethod],
      http_route: anyValue,
      http_response_status_code: anyValue,
    },
    bounds: secondsBounds,
  }),
  activeRequests: gauge({
    name: 'http_server_active_requests',
    help: 'Requests that are being answered.',
  }),
  batchWrites: histogram({
    name: 'plant_store_batch_writes',
    help: 'Writes that were committed in one transaction.',
    bounds: writesBounds,
  }),
  batchWait: histogram({
    name: 'plant_store_batch_wait_seconds',
    help: 'Time that the oldest write of a transaction waited for it to begin.',
    bounds: secondsBounds,
  }),
  batchDuration: histogram({
    name: 'plant_store_batch_commit_duration_seconds',
    help: 'Time from the beginning of a transaction of writes to its outcome.',
    labels: { outcome: ['committed', 'failed'] },
    bounds: secondsBounds,
  }),
  queuedWrites: gauge({
    name: 'plant_store_queued_writes',
    help: 'Writes that wait for a transaction.',
  }),
  logHead: gauge({
    name: 'plant_store_log_head',
    help: 'Sequence of the newest event in the log, or 0 before the first.',
  }),
  logFirst: gauge({
    name: 'plant_store_log_first',
    help: 'Sequence of the oldest event that is kept, or 0 before the first.',
  }),
  events: counter({
    name: 'plant_store_events_total',
    help: 'Events that this process has written.',
    labels: { type: plantEventTypes },
  }),
  webhookLag: gauge({
    name: 'plant_store_webhook_lag_events',
    help: 'Events in the log after the position of the webhook.',
    labels: { webhook_id: anyValue },
  }),
  webhookEnabled: gauge({
    name: 'plant_store_webhook_enabled',
    help: 'Whether the webhook is enabled: 1 or 0.',
    labels: { webhook_id: anyValue },
  }),
  webhookFailing: gauge({
    name: 'plant_store_webhook_failing_seconds',
    help: 'Time since the first failure after the last success of the webhook, or 0 when its last attempt succeeded.',
    labels: { webhook_id: anyValue },
  }),
  attempts: counter({
    name: 'plant_store_webhook_attempts_total',
    help: 'Attempts of this process to send a message, by the class of the status, or by why there was no answer.',
    labels: { outcome: [...statusClasses, 'other', ...Object.keys(attemptFailures)] },
  }),
  attemptDuration: histogram({
    name: 'plant_store_webhook_attempt_duration_seconds',
    help: 'Time from the look-up of the host to the end of the answer.',
    bounds: [...secondsBounds, attemptTimeoutMs / 1000],
  }),
  leases: gauge({
    name: 'plant_store_leases',
    help: 'Webhooks whose leases this process has.',
  }),
  retries: counter({
    name: 'plant_store_retries_total',
    help: 'Transactions that began again, by the SQLSTATE of the error.',
    labels: { sqlstate: anyValue },
  }),
  prunedRows: counter({
    name: 'plant_store_pruned_rows_total',
    help: 'Old events and settled tests that this process has removed.',
  }),
  streams: gauge({
    name: 'plant_store_streams',
    help: 'Open streams of the live log.',
  }),
  streamDisconnects: counter({
    name: 'plant_store_stream_disconnects_total',
    help: 'Streams that the service has ended: of a slow reader, of an invalid token, as it stops, or as the log cannot be read.',
    labels: { reason: ['slow', 'token', 'stopping', 'failed'] },
  }),
  rateLimited: counter({
    name: 'plant_store_rate_limited_requests_total',
    help: 'Requests that were refused, by what the rate limit counts.',
    labels: { policy: ['token', 'address'] },
  }),
  eventLoopDelay: summary({
    name: 'plant_store_event_loop_delay_seconds',
    help: 'How late the event loop was, since the scrape before.',
  }),
  processMemory: gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory size in bytes.',
  }),
  processCpu: counter({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
  }),
  processStartTime: gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since the Unix epoch in seconds.',
  }),
  buildInfo: gauge({
    name: 'plant_store_build_info',
    help: 'Always 1; its labels name the version of the program, the version of Bun, and the engine of the store.',
    labels: { version: anyValue, bun: anyValue, engine: anyValue },
  }),
});
