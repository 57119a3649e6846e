/** What the service knows of a request while it answers it. */
import { readTraceparent } from '../base/trace-context.ts';

export interface RequestContext {
  /** The value of `X-Request-Id`, in the answer and in the log. */
  readonly id: string;
  /** What passes the trace on (W3C Trace Context): the caller's, or with tracing that of the request's own span. */
  traceparent: string | undefined;
  /** As in the table of operations; null until it is known, and when there is none. */
  route: string | null;
  /** Absent unless the request was counted by a rate limit. */
  rateLimit?: RateLimitFields;
}

/** What a response says of a rate limit, by draft-ietf-httpapi-ratelimit-headers-11. */
export interface RateLimitFields {
  /** The values of the fields `RateLimit-Policy` and `RateLimit`. */
  readonly quota: string;
  readonly available: string;
}

/** Begins the context of a request. */
export const beginContext = (request: Request): RequestContext => {
  const { headers } = request;
  const context: RequestContext = {
    id: readRequestId(headers.get('x-request-id')) ?? Bun.randomUUIDv7(),
    traceparent: readTraceparent(headers.get('traceparent')),
    route: null,
  };
  contexts.set(request, context);
  return context;
};

/** Absent for a request that was not begun. */
export const contextOf = (request: Request): RequestContext | undefined => contexts.get(request);

/** Its keys are the requests themselves, so two apps in one process share nothing. */
const contexts = new WeakMap<Request, RequestContext>();

/** The id that the caller has chosen. Absent when it must not be used: it is written to the log. */
const readRequestId = (header: string | null): string | undefined =>
  header !== null && requestIdForm.test(header) ? header : undefined;

const requestIdForm = /^[A-Za-z0-9._-]{1,64}$/;
