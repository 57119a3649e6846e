/**
 * Exports ended spans to a collector, over OTLP/HTTP and behind the requests. At most `queueMax` spans wait. When the collector is
 * slow or away, spans are lost and requests are not delayed.
 */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import { createLossLog } from './loss-log.ts';

export interface ExportOptions {
  /** The URL of the collector, without the path `v1/traces`. */
  readonly endpoint: string;
  /** Sent with each export, such as a key of the collector. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Log;
}

/**
 * How many spans may wait, and how many are sent at once. Both are the defaults of OpenTelemetry.
 *
 * @limit Processes | Spans that wait for their export | Further spans are lost.
 */
export const queueMax = 2048;
const exportMax = 512;

/** How many exports there may be at once: at a stop, all that waits, besides one that the collector has not answered. */
const exportsMax = queueMax / exportMax + 1;

/** How long a stop waits for the collector. */
export const stopMsMax = 1000;

export const createExport = ({ endpoint, headers, log }: ExportOptions): SpanProcessor => {
  let waiting = 0;
  let sending = 0;
  const losses = createLossLog(log, new URL(endpoint).origin);
  // The SDK would write nothing, or to the console.
  const note = (...words: unknown[]): void =>
    log.debug({ message: words.filter((word) => typeof word === 'string').join(' ') }, 'opentelemetry');
  const levels = { error: note, warn: note, info: note, debug: note, verbose: note };
  diag.setLogger(levels, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  // The exporter causes one when a collector answers `Retry-After: 0`. Each is a line of text on stderr otherwise.
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
        if (result.error) losses.count(spans.length, result.error.message);
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
    /** Exports what waits, for at most `stopMsMax`. */
    shutdown: async () => {
      await Promise.race([batches.shutdown().catch(() => {}), Bun.sleep(stopMsMax)]);
      if (waiting + sending > 0) losses.count(waiting + sending, 'the service stops');
      losses.report();
    },
  };
};
