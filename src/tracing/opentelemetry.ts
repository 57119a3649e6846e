/** The tracer, with the SDK of OpenTelemetry. Only `cli/serve.ts` imports this file, if tracing is on. */
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { ParentBasedSampler, type Sampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { runtime } from '#runtime';
import type { SamplerName } from '../setting-values.ts';
import { createExport, type ExportOptions } from './export.ts';
import { recordBatch, startAttemptSpan, startRequestSpan } from './spans.ts';
import type { Tracer } from './tracer.ts';

export interface TracerOptions extends ExportOptions {
  readonly sampler: SamplerName;
  /** The ratio of sampled traces, from 0 to 1, for the samplers with a ratio. */
  readonly samplerRatio: number;
  /** Attributes of the process, including `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
  /** The value of `db.system.name`. */
  readonly system: string;
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
  const ratios: Readonly<Record<SamplerName, number>> = {
    always_on: 1,
    always_off: 0,
    traceidratio: ratio,
    parentbased_always_on: 1,
    parentbased_always_off: 0,
    parentbased_traceidratio: ratio,
  };
  const root = new TraceIdRatioBasedSampler(ratios[name]);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};
