/**
 * The interface through which the service reports spans (https://opentelemetry.io/docs/concepts/signals/traces).
 * `opentelemetry.ts` exports them to a collector. It is loaded if tracing is on; otherwise there is no tracer.
 *
 * Requests wait for these calls, so they are synchronous. They do not throw.
 */
import type { Attempt, Delivery } from '../deliveries/delivery.ts';
import type { Batch } from '../storage/observer.ts';
import type { WebhookRecord } from '../webhooks/webhook.ts';

export interface Tracer {
  /** Begins the span of a request. `traceparent` comes from the client; without it the span begins a trace. */
  readonly startRequest: (traceparent: string | undefined) => RequestSpan;
  /** Begins the span of an attempt, in the trace of the request that caused the event. */
  readonly startAttempt: (webhook: WebhookRecord, delivery: Delivery) => AttemptSpan;
  readonly onBatch: (batch: Batch) => void;
  /** Exports the ended spans, which takes at most a second. */
  readonly stop: () => Promise<void>;
}

interface Span {
  /** Identifies the span to its children (W3C Trace Context). */
  readonly traceparent: string;
}

export interface RequestSpan extends Span {
  readonly end: (request: {
    readonly method: string;
    /** As in the document, such as `/plants/{id}`. Null if there is none. */
    readonly route: string | null;
    readonly status: number;
    /** Whether the failure is one of the service, and not of the client. */
    readonly hasFailed: boolean;
  }) => void;
}

export interface AttemptSpan extends Span {
  /** `attempt` is undefined if the stop of the service has aborted it. */
  readonly end: (attempt: Attempt | undefined) => void;
}
