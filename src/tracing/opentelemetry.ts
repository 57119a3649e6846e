/** The tracer, with the SDK of OpenTelemetry. Only `cli/serve.ts` imports this file, if tracing is on. */
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { startAttemptSpan } from './attempt-span.ts';
import { recordBatch } from './batch-span.ts';
import { createExport, type ExportOptions } from './export.ts';
import { startRequestSpan } from './request-span.ts';
import { createSampler, type SamplerOptions } from './sampler.ts';
import type { Tracer } from './tracer.ts';

export interface TracerOptions extends ExportOptions, SamplerOptions {
  /** Attributes of the process, including `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
  /** The value of `db.system.name`. */
  readonly system: string;
}

export const createTracer = ({ resource, version, system, ...options }: TracerOptions): Tracer => {
  const own = { 'service.version': version, 'service.instance.id': Bun.randomUUIDv7() };
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ ...own, ...resource })),
    sampler: createSampler(options),
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
