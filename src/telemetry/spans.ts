/**
 * The spans of requests, batches and attempts, by the semantic conventions of OpenTelemetry
 * (https://opentelemetry.io/docs/specs/semconv/http/http-spans).
 */
import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer as Spans,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { isOneOf } from '../base/text.ts';
import { knownMethods, otherMethod } from '../base/trace-context.ts';
import { type Delivery, isSuccess } from '../deliveries/delivery.ts';
import { eventIdOf } from '../events/event.ts';
import type { Batch } from '../storage/observer.ts';
import type { WebhookRecord } from '../webhooks/webhook.ts';
import type { AttemptSpan, RequestSpan } from './tracer.ts';

/**
 * Begins the span of a request. It has neither the path nor the header fields: they may contain any text from the client, such as a
 * misplaced token.
 */
export const startRequestSpan = (spans: Spans, traceparent: string | undefined): RequestSpan => {
  const span = spans.startSpan('HTTP', { kind: SpanKind.SERVER }, contextOf(traceparent));
  return {
    traceparent: toTraceparent(span.spanContext()),
    end: ({ method, route, status, hasFailed }) => {
      if (!span.isRecording()) return;
      const isKnown = isOneOf(knownMethods)(method);
      const name = isKnown ? method : 'HTTP';
      span.updateName(route === null ? name : `${name} ${route}`);
      span.setAttributes({
        'http.request.method': isKnown ? method : otherMethod,
        ...(route !== null && { 'http.route': route }),
        'http.response.status_code': status,
        'url.scheme': 'http',
      });
      if (hasFailed) {
        span.setAttribute('error.type', `${status}`);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
};

/**
 * Records the span of an ended batch, if any of its requests is sampled. The span has a link to each of them. It is a child of
 * the oldest one, so that the trace of a single write contains its commit. `system` is the value of `db.system.name`.
 */
export const recordBatch = (
  spans: Spans,
  system: string,
  { writes, startedAtMs, endedAtMs, isCommitted, traceparents }: Batch,
): void => {
  // First, since few may be sampled.
  const sampled = traceparents.filter(isSampled).map(toSpanContext);
  const [oldest] = sampled;
  if (!oldest) return;
  const monotonicStartMs = Date.now() - performance.now();
  const span = spans.startSpan(
    'commit',
    {
      kind: SpanKind.CLIENT,
      startTime: monotonicStartMs + startedAtMs,
      links: sampled.map((context) => ({ context })),
      attributes: { 'db.system.name': system, 'plant_store.batch.writes': writes },
    },
    trace.setSpanContext(ROOT_CONTEXT, oldest),
  );
  if (!isCommitted) {
    span.setAttribute('error.type', '_OTHER');
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(monotonicStartMs + endedAtMs);
};

/** Begins the span of an attempt. It has neither the path nor the query of the URL, which may contain a secret of the receiver. */
export const startAttemptSpan = (
  spans: Spans,
  { id, url }: WebhookRecord,
  { event, attemptsInRound }: Delivery,
): AttemptSpan => {
  const span = spans.startSpan('POST', { kind: SpanKind.CLIENT }, contextOf(event.traceparent));
  if (span.isRecording()) {
    const { protocol = '', hostname = '', port = '' } = URL.parse(url) ?? {};
    span.setAttributes({
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port || portOf[protocol]),
      'url.scheme': protocol.slice(0, -1),
      'plant_store.webhook.id': id,
      'plant_store.event.id': eventIdOf(event),
      ...(attemptsInRound > 0 && { 'http.request.resend_count': attemptsInRound }),
    });
  }
  return {
    traceparent: toTraceparent(span.spanContext()),
    end: (attempt) => {
      const { status, failure = attempt ? `${status}` : 'stopped' } = attempt ?? {};
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (!attempt || !isSuccess(attempt)) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
};

const portOf: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The context for a child of the span in `traceparent`, or for a span that begins a trace. */
const contextOf = (traceparent: string | undefined): Context =>
  traceparent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toSpanContext(traceparent));

/** The flags are two digits, the first of which is 0. */
const isSampled = (traceparent: string): boolean => (Number(traceparent.at(-1)) & TraceFlags.SAMPLED) !== 0;

const toSpanContext = (traceparent: string): SpanContext => {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
};

const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags}`;
