/**
 * Exports ended spans to a collector, over OTLP/HTTP and in the background. At most `queueMax` spans wait. If the collector is slow
 * or unavailable, spans are lost and requests are not delayed. The SDK's own diagnostics are off, since they quote the settings and the
 * responses of the collector.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';

export interface ExportOptions {
  /** The URL of the collector, without the path `v1/traces`. */
  readonly endpoint: string;
  /** Headers of each export, such as an API key of the collector. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Log;
  /** How long a stop waits for the collector. */
  readonly stopMs?: number;
}

/**
 * How many spans may wait, and how many are sent at once. Both are the defaults of OpenTelemetry.
 *
 * @limit Processes | Spans that wait for their export | Further spans are lost.
 */
export const queueMax = 2048;
const exportMax = 512;

/** The maximum number of concurrent exports: at a stop, all waiting spans, and one export without a response yet. */
const exportsMax = queueMax / exportMax + 1;

/** The default of `stopMs`. */
export const stopMsMax = 1000;

export const createExport = ({ endpoint, headers, log, stopMs = stopMsMax }: ExportOptions): SpanProcessor => {
  let waiting = 0;
  let sending = 0;
  const losses = createLossLog(log, new URL(endpoint).origin);
  // The exporter causes a warning if a collector responds with `Retry-After: 0`. By default it is a line of text on stderr.
  process.removeAllListeners('warning').on('warning', ({ message }) => log.warn({ message }, 'warning'));

  const otlp = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    concurrencyLimit: exportsMax,
  });
  const exporter: SpanExporter = {
    export: (spans, done) => {
      waiting -= spans.length;
      sending += spans.length;
      otlp.export(spans, (result) => {
        sending -= spans.length;
        if (result.error) losses.count(spans.length, reasonOf(result.error));
        done(result);
      });
    },
    shutdown: () => otlp.shutdown(),
  };
  const batches = new BatchSpanProcessor({ exporter, maxQueueSize: queueMax, maxExportBatchSize: exportMax });

  return {
    onStart: () => {},
    onEnd: (span) => {
      if (waiting === queueMax) return losses.count(1, 'the queue is full');
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    /** Exports the waiting spans, for at most `stopMs`. */
    shutdown: async () => {
      await Promise.race([batches.shutdown().catch(() => {}), sleep(stopMs)]);
      if (waiting + sending > 0) losses.count(waiting + sending, 'the service stops');
      losses.report();
    },
  };
};

/** The status of the response, or the code of the system. An error without a code has a fixed text; another one may be the collector's. */
const reasonOf = (error: Error): string => {
  if (!('code' in error) || error.code === undefined) return error.message;
  return typeof error.code === 'number' ? `status ${error.code}` : `${error.code}`;
};

/** Logs how many spans were lost, and the latest reason: at the first loss, and then at most once in `logPauseMs`. */
export const createLossLog = (log: Log, collector: string) => {
  let spans = 0;
  let lastReason = '';
  let nextAtMs = 0;

  /** Logs the losses that are not logged yet. */
  const report = (): void => {
    if (spans > 0) log.warn({ spans, reason: lastReason, collector }, 'spans lost');
    spans = 0;
  };

  const count = (lost: number, reason: string): void => {
    spans += lost;
    lastReason = reason;
    if (performance.now() < nextAtMs) return;
    nextAtMs = performance.now() + logPauseMs;
    report();
  };

  return { count, report };
};

const logPauseMs = 60_000;
