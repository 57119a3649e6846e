/** All metrics of the service, with names from OpenTelemetry where they exist. Clients cannot choose the value of a label. */
import { createEventLoopDelay } from '../base/event-loop.ts';
import { anyValue, counter, gauge, histogram, type Instrument, summary, toPrometheusText } from '../base/instrument.ts';
import { knownMethods, otherMethod } from '../base/trace-context.ts';
import { type Attempt, attemptFailures, attemptTimeoutMs } from '../deliveries/delivery.ts';
import { type PlantEventType, plantEventTypes } from '../events/event.ts';
import type { StoreObserver } from '../storage/observer.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** The version of the program and of Bun, and the engine of the store. */
export type Build = Readonly<Record<'version' | 'runtime' | 'runtime_version' | 'engine', string>>;

/** Without `build`, the metric `plant_store_build_info` is omitted. */
export const createMetrics = (build?: Build) => {
  const instruments = createInstruments();
  const all: readonly Instrument[] = Object.values(instruments);
  const readEventLoopDelay = createEventLoopDelay();
  const readers: (() => unknown)[] = [];
  let inProgress: Promise<string> | undefined;

  if (build) instruments.buildInfo.set(1, build);
  // Only a service with a folder for backups has it.
  instruments.backupTime.clear();
  instruments.processStartTime.set(performance.timeOrigin / 1000);

  const readProcess = (): void => {
    const { user, system } = process.cpuUsage();
    instruments.processCpu.set((user + system) / 1e6);
    instruments.processMemory.set(process.memoryUsage.rss());
    instruments.eventLoopDelay.set(readEventLoopDelay());
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
): StoreObserver<PlantEventType> => ({
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
export const outcomeLabelOf = ({ status, failure }: Pick<Attempt, 'status' | 'failure'>) =>
  failure ?? statusClasses[Math.floor((status ?? 0) / 100) - 1] ?? 'other';

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Most requests take less than the lowest bound of OpenTelemetry, which is 5 ms. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const writesBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

const createInstruments = () => ({
  requestDuration: histogram(
    'http_server_request_duration_seconds',
    'Time from the header section of a request to the beginning of its response.',
    secondsBounds,
    {
      http_request_method: [...knownMethods, otherMethod],
      http_route: anyValue,
      http_response_status_code: anyValue,
    },
  ),
  activeRequests: gauge('http_server_active_requests', 'Requests in progress.'),
  batchWrites: histogram('plant_store_batch_writes', 'Writes per committed transaction.', writesBounds),
  batchWait: histogram(
    'plant_store_batch_wait_seconds',
    'Time that the oldest write of a transaction waited for the transaction to begin.',
    secondsBounds,
  ),
  batchDuration: histogram(
    'plant_store_batch_commit_duration_seconds',
    'Time from the beginning of a write transaction to its commit or failure.',
    secondsBounds,
    { outcome: ['committed', 'failed'] },
  ),
  databaseDamaged: gauge(
    'plant_store_database_damaged',
    'Whether this process has found damage of the database: 1 or 0.',
  ),
  backupTime: gauge(
    'plant_store_backup_timestamp_seconds',
    'When the newest file in BACKUP_FOLDER was written, since the Unix epoch in seconds, or 0 without one. Omitted if that is not set.',
  ),
  queuedWrites: gauge('plant_store_queued_writes', 'Writes that wait for a transaction.'),
  logHead: gauge('plant_store_log_head', 'Sequence of the newest event in the log, or 0 before the first.'),
  logFirst: gauge('plant_store_log_first', 'Sequence of the oldest retained event, or 0 before the first.'),
  events: counter('plant_store_events_total', 'Events written by this process.', { type: plantEventTypes }),
  webhookLag: gauge('plant_store_webhook_lag_events', 'Events in the log after the position of the webhook.', {
    webhook_id: anyValue,
  }),
  webhookEnabled: gauge('plant_store_webhook_enabled', 'Whether the webhook is enabled: 1 or 0.', {
    webhook_id: anyValue,
  }),
  webhookFailing: gauge(
    'plant_store_webhook_failing_seconds',
    'Time since the start of the current failure streak of the webhook, or 0 if its last attempt succeeded.',
    { webhook_id: anyValue },
  ),
  attempts: counter(
    'plant_store_webhook_attempts_total',
    'Attempts by this process to send a message, by status class, or by the reason why there was no response.',
    { outcome: [...statusClasses, 'other', ...Object.keys(attemptFailures)] },
  ),
  attemptDuration: histogram(
    'plant_store_webhook_attempt_duration_seconds',
    'Time from the DNS look-up of the host to the end of the response.',
    [...secondsBounds, attemptTimeoutMs / 1000],
  ),
  leases: gauge('plant_store_leases', 'Webhook leases of this process.'),
  retries: counter('plant_store_retries_total', 'Retried transactions, by the SQLSTATE of the error.', {
    sqlstate: anyValue,
  }),
  prunedRows: counter('plant_store_pruned_rows_total', 'Old events and settled tests removed by this process.'),
  streams: gauge('plant_store_streams', 'Open streams of the live log.'),
  streamDisconnects: counter(
    'plant_store_stream_disconnects_total',
    'Streams ended by the service, by reason: slow reader, invalid token, stop of the service, or unreadable log.',
    { reason: ['slow', 'token', 'stopping', 'failed'] },
  ),
  rateLimited: counter('plant_store_rate_limited_requests_total', 'Requests rejected by a rate limit, by its policy.', {
    policy: ['token', 'address'],
  }),
  eventLoopDelay: summary('plant_store_event_loop_delay_seconds', 'Delay of the event loop since the previous scrape.'),
  processMemory: gauge('process_resident_memory_bytes', 'Resident memory size in bytes.'),
  processCpu: counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.'),
  processStartTime: gauge('process_start_time_seconds', 'Start time of the process since the Unix epoch in seconds.'),
  buildInfo: gauge(
    'plant_store_build_info',
    'Always 1. Its labels are the version of the program, the runtime with its version, and the engine of the store.',
    { version: anyValue, runtime: anyValue, runtime_version: anyValue, engine: anyValue },
  ),
});
