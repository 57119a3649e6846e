import { type Context, ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api';
import { spanIdOf, traceFlagsOf, traceIdOf } from '../base/trace-context.ts';

/** The context for a child of the span in `traceparent`, or for a span that begins a trace. */
export const contextOf = (traceparent: string | undefined): Context =>
  traceparent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toSpanContext(traceparent));

export const toSpanContext = (traceparent: string): SpanContext => ({
  traceId: traceIdOf(traceparent),
  spanId: spanIdOf(traceparent),
  traceFlags: traceFlagsOf(traceparent),
  isRemote: true,
});

export const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags}`;
