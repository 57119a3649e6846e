import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { isSampled } from '../base/trace-context.ts';
import type { Batch } from '../store/observer.ts';
import { contextOf, toSpanContext } from './span-context.ts';

/**
 * Records the span of an ended batch, if any of its requests is sampled. The span has a link to each of them. It is a child of
 * the oldest one, so that the trace of a single write contains its commit. `system` is the value of `db.system.name`.
 */
export const recordBatch = (
  spans: Tracer,
  system: string,
  { writes, startedAtMs, endedAtMs, isCommitted, traceparents }: Batch,
): void => {
  const sampled = traceparents.filter(isSampled);
  if (sampled.length === 0) return;
  const monotonicStartMs = Date.now() - performance.now();
  const span = spans.startSpan(
    'commit',
    {
      kind: SpanKind.CLIENT,
      startTime: monotonicStartMs + startedAtMs,
      links: sampled.map((traceparent) => ({ context: toSpanContext(traceparent) })),
      attributes: { 'db.system.name': system, 'plant_store.batch.writes': writes },
    },
    contextOf(sampled[0]),
  );
  if (!isCommitted) {
    span.setAttribute('error.type', '_OTHER');
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(monotonicStartMs + endedAtMs);
};
