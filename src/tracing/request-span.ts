import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { isKnownMethod, otherMethod } from '../base/trace-context.ts';
import { contextOf, toTraceparent } from './span-context.ts';
import type { RequestSpan } from './tracer.ts';

/**
 * Follows https://opentelemetry.io/docs/specs/semconv/http/http-spans, but without the path and the header fields: they may
 * contain any text from the client, such as a misplaced token.
 */
export const startRequestSpan = (spans: Tracer, traceparent: string | undefined): RequestSpan => {
  const span = spans.startSpan('HTTP', { kind: SpanKind.SERVER }, contextOf(traceparent));
  return {
    traceparent: toTraceparent(span.spanContext()),
    end: ({ method, route, status, hasFailed }) => {
      if (!span.isRecording()) return;
      const isKnown = isKnownMethod(method);
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
