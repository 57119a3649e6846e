import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { type Delivery, isSuccess } from '../domain/delivery.ts';
import { eventIdOf } from '../domain/event.ts';
import type { WebhookRecord } from '../domain/webhook.ts';
import { contextOf, toTraceparent } from './span-context.ts';
import type { AttemptSpan } from './tracer.ts';

/**
 * Follows https://opentelemetry.io/docs/specs/semconv/http/http-spans, but without the path and query of the URL, which may
 * contain a secret of the receiver.
 */
export const startAttemptSpan = (
  spans: Tracer,
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
