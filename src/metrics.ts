/** All metrics of the service, with names from OpenTelemetry where they exist. Clients cannot choose the value of a label. */
import { createEventLoopDelay } from './base/event-loop.ts';
import { anyValue, counter, gauge, histogram, type Instrument, summary, toPrometheusText } from './base/instrument.ts';
import { knownMethods, otherMethod } from './base/trace-context.ts';
import { type Attempt, attemptFailures, attemptTimeoutMs } from './domain/delivery.ts';
import { plantEventTypes } from './domain/event.ts';
import type { StoreObserver } from './store/observer.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** The version of the program and of Bun, and the engine of the store. */
export type Build = Readonly<Record<'version' | 'bun' | 'engine', string>>;

/** Without `build`, the metric `plant_store_build_info` is absent. */
export const createMetrics = (build?: Build) => {
  const instruments = createInstruments();
  const all: readonly Instrument[] = Object.values(instruments);
  const readEventLoopDelay = createEventLoopDelay();
  const readers: (() => unknown)[] = [];
  let inProgress: Promise<string> | undefined;

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
    /** Calls `read` at each scrape, to set metrics that are not updated otherwise. If it rejects, the scrape rejects. */
    onScrape: (read: () => unknown): void => void readers.push(read),
    /** Resolves to the text of all metrics. Concurrent calls get the same text. */
    scrape: (): Promise<string> => {
      inProgress ??= scrape().finally(() => {
        inProgress = undefined;
      });
      return inProgress;
    },
  };
};

/** Counts what an engine reports, and forwards batches to `onBatch`. */
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

/** The outcome of an attempt: the class of the status, or the reason why there was no response. */
export const outcomeOf = ({ status, failure }: Pick<Attempt, 'status' | 'failure'>) =>
  failure ?? statusClasses[Math.floor((status ?? 0) / 100) - 1] ?? 'other';

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Most requests take less than the lowest bound of OpenTelemetry, which is 5 ms. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const writesBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

const createInstruments = () => ({
  requestDuration: histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the header section of a request to the beginning of its response.',
    labels: {
      http_request_method: [...knownMethods, otherMethod],
      http_route: anyValue,
      http_response_status_code: anyValue,
    },
    bounds: secondsBounds,
  }),
  activeRequests: gauge({
    name: 'http_server_active_requests',
    help: 'Requests in progress.',
  }),
  batchWrites: histogram({
    name: 'plant_store_batch_writes',
    help: 'Writes per committed transaction.',
    bounds: writesBounds,
  }),
  batchWait: histogram({
    name: 'plant_store_batch_wait_seconds',
    help: 'Time that the oldest write of a transaction waited for the transaction to begin.',
    bounds: secondsBounds,
  }),
  batchDuration: histogram({
    name: 'plant_store_batch_commit_duration_seconds',
    help: 'Time from the beginning of a write transaction to its commit or failure.',
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
    help: 'Sequence of the oldest retained event, or 0 before the first.',
  }),
  events: counter({
    name: 'plant_store_events_total',
    help: 'Events written by this process.',
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
    help: 'Time since the start of the current failure streak of the webhook, or 0 if its last attempt succeeded.',
    labels: { webhook_id: anyValue },
  }),
  attempts: counter({
    name: 'plant_store_webhook_attempts_total',
    help: 'Attempts by this process to send a message, by status class, or by the reason why there was no response.',
    labels: { outcome: [...statusClasses, 'other', ...Object.keys(attemptFailures)] },
  }),
  attemptDuration: histogram({
    name: 'plant_store_webhook_attempt_duration_seconds',
    help: 'Time from the DNS look-up of the host to the end of the response.',
    bounds: [...secondsBounds, attemptTimeoutMs / 1000],
  }),
  leases: gauge({
    name: 'plant_store_leases',
    help: 'Webhook leases of this process.',
  }),
  retries: counter({
    name: 'plant_store_retries_total',
    help: 'Retried transactions, by the SQLSTATE of the error.',
    labels: { sqlstate: anyValue },
  }),
  prunedRows: counter({
    name: 'plant_store_pruned_rows_total',
    help: 'Old events and settled tests removed by this process.',
  }),
  streams: gauge({
    name: 'plant_store_streams',
    help: 'Open streams of the live log.',
  }),
  streamDisconnects: counter({
    name: 'plant_store_stream_disconnects_total',
    help: 'Streams ended by the service, by reason: slow reader, invalid token, stop of the service, or unreadable log.',
    labels: { reason: ['slow', 'token', 'stopping', 'failed'] },
  }),
  rateLimited: counter({
    name: 'plant_store_rate_limited_requests_total',
    help: 'Requests rejected by a rate limit, by its policy.',
    labels: { policy: ['token', 'address'] },
  }),
  eventLoopDelay: summary({
    name: 'plant_store_event_loop_delay_seconds',
    help: 'Delay of the event loop since the previous scrape.',
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
    help: 'Always 1. Its labels are the version of the program, the version of Bun, and the engine of the store.',
    labels: { version: anyValue, bun: anyValue, engine: anyValue },
  }),
});
