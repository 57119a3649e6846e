import { createLog } from '../../../src/log.ts';
import { createTracer, type TracerOptions } from '../../../src/telemetry/opentelemetry.ts';
import type { Tracer } from '../../../src/telemetry/tracer.ts';

/** A tracer that exports every trace to the collector at this URL. */
export const createTestTracer = (endpoint: string, options: Partial<TracerOptions> = {}): Tracer =>
  createTracer({
    endpoint,
    headers: {},
    resource: { 'service.name': 'plant-store' },
    version: '1.2.3',
    system: 'sqlite',
    sampler: 'parentbased_always_on',
    samplerRatio: 1,
    log: createLog('silent'),
    ...options,
  });
