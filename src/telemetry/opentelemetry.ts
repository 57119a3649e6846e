/**
 * The tracer, with the SDK of OpenTelemetry. Only `cli/serve.ts` imports this file, if tracing is on.
 *
 * Ended spans are exported to a collector, over OTLP/HTTP and in the background. At most `waitingSpansMax` wait. If the collector is slow
 * or unavailable, spans are lost and requests are not delayed. The SDK's own diagnostics are off, since they quote the settings and the
 * responses of the collector.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { runtime } from '#runtime';
import { lookupForSocket } from '../base/dns.ts';
import type { Config } from '../config/config.ts';
import type { SamplerName } from '../config/setting-values-tracing.ts';
import type { Log } from '../log.ts';
import { recordBatch, startAttemptSpan, startRequestSpan } from './spans.ts';
import type { Tracer } from './tracer.ts';

export interface TracerOptions extends NonNullable<Config['tracing']> {
  readonly version: string;
  /** The value of `db.system.name`. */
  readonly system: string;
  readonly log: Log;
  /** How long a stop waits for the collector. */
  readonly stopMs?: number;
}

export const createTracer = (options: TracerOptions): Tracer => {
  const { resource, version, system, sampler, samplerRatio } = options;
  const own = { 'service.version': version, 'service.instance.id': runtime.timeOrderedUuid() };
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ ...own, ...resource })),
    sampler: createSampler(sampler, samplerRatio),
    spanProcessors: [createExport(options)],
    spanLimits: { linkCountLimit: linksMax },
  });
  const spans = provider.getTracer('plant-store', version);
  return {
    startRequest: (traceparent) => startRequestSpan(spans, traceparent),
    startAttempt: (webhook, delivery) => startAttemptSpan(spans, webhook, delivery),
    onBatch: (batch) => recordBatch(spans, system, batch),
    stop: () => provider.shutdown(),
  };
};

/** The maximum number of writes in a batch of an engine. */
const linksMax = 512;

/** The sampler with this name, as the settings of OpenTelemetry define it. */
const createSampler = (name: SamplerName, ratio: number): Sampler => {
  const fraction = name.endsWith('traceidratio') ? ratio : Number(name.endsWith('always_on'));
  const root = new TraceIdRatioBasedSampler(fraction);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

/**
 * How many spans may wait, and how many are sent at once. Both are the defaults of OpenTelemetry.
 *
 * @limit Processes | Spans that wait for their export | further spans are lost
 */
export const waitingSpansMax = 2048;
const exportMax = 512;

/** The maximum number of concurrent exports: at a stop, all waiting spans, and one export without a response yet. */
const exportsMax = waitingSpansMax / exportMax + 1;

export const stopMsMax = 1000;

const createExport = ({ endpoint, headers, log, stopMs = stopMsMax }: TracerOptions): SpanProcessor => {
  let waiting = 0;
  let sending = 0;
  const losses = createLossLog(log, new URL(endpoint).origin);
  // The exporter causes a warning if a collector responds with `Retry-After: 0`. By default it is a line of text on stderr.
  process.removeAllListeners('warning').on('warning', ({ message }) => log.warn({ message }, 'warning'));

  const otlp = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    concurrencyLimit: exportsMax,
    httpAgentOptions: { keepAlive: true, lookup: lookupForSocket },
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
  const batches = new BatchSpanProcessor({ exporter, maxQueueSize: waitingSpansMax, maxExportBatchSize: exportMax });

  return {
    onStart: () => {},
    onEnd: (span) => {
      if (waiting === waitingSpansMax) return losses.count(1, 'the queue is full');
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
