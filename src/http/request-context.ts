/** What the service knows about a request in progress. */
import { readTraceparent } from '../base/trace-context.ts';

export interface RequestContext {
  /** The value of `X-Request-Id`, in the response and in the log. */
  readonly id: string;
  /** The `traceparent` to propagate (W3C Trace Context): that of the client, or of the request's own span if tracing is on. */
  traceparent: string | undefined;
  /** As in the route table. Null until it is known, and if there is none. */
  route: string | null;
  /** Absent unless a rate limit has counted the request. */
  rateLimit?: RateLimitFields;
}

/** The rate limit headers of a response (draft-ietf-httpapi-ratelimit-headers-11). */
export interface RateLimitFields {
  /** The values of the fields `RateLimit-Policy` and `RateLimit`. */
  readonly quota: string;
  readonly available: string;
}

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

/** Absent for a request without a context. */
export const contextOf = (request: Request): RequestContext | undefined => contexts.get(request);

/** Its keys are the requests themselves, so two apps in one process share nothing. */
const contexts = new WeakMap<Request, RequestContext>();

/** The id from the client. Absent if it is not safe to write to the log. */
const readRequestId = (header: string | null): string | undefined =>
  header !== null && requestIdForm.test(header) ? header : undefined;

const requestIdForm = /^[A-Za-z0-9._-]{1,64}$/;
