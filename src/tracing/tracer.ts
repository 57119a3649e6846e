/**
 * What the service reports of its work as spans (https://opentelemetry.io/docs/concepts/signals/traces). `opentelemetry.ts` exports
 * them to a collector. It is loaded when tracing is on; otherwise there is no tracer.
 *
 * The calls are on the path of requests. They are synchronous, and do not throw.
 */
import type { Attempt, Delivery } from '../domain/delivery.ts';
import type { WebhookRecord } from '../domain/webhook.ts';
import type { Batch } from '../store/observer.ts';

export interface Tracer {
  /** Begins the span of a request. `traceparent` is that of the caller; without it the span begins a trace. */
  readonly startRequest: (traceparent: string | undefined) => RequestSpan;
  /** Begins the span of an attempt, in the trace of the request that caused the event. */
  readonly startAttempt: (webhook: WebhookRecord, delivery: Delivery) => AttemptSpan;
  /** Reports a batch that has ended. */
  readonly onBatch: (batch: Batch) => void;
  /** Exports the spans that have ended, which takes a second at most. */
  readonly stop: () => Promise<void>;
}

interface Span {
  /** Names the span to what it causes (W3C Trace Context). */
  readonly traceparent: string;
}

export interface RequestSpan extends Span {
  readonly end: (request: EndedRequest) => void;
}

export interface EndedRequest {
  readonly method: string;
  /** As in the document, such as `/plants/{id}`; null when there is none. */
  readonly route: string | null;
  readonly status: number;
  /** Whether the service has failed, and not its client. */
  readonly hasFailed: boolean;
}

export interface AttemptSpan extends Span {
  /** Without an attempt when the stop of the service has cut it off. */
  readonly end: (attempt: Attempt | undefined) => void;
}
