/**
 * What every request gets: a line in the log, metrics, a span, and the headers of its id and rate limit in the response. Elysia's
 * hooks record the route. Everything else is done around Elysia, where even an error in its error handling becomes a response.
 */
import { runtime } from '#runtime';
import { AppError } from '../base/app-error.ts';
import type { Observer } from '../base/instrument.ts';
import { knownMethods, otherMethod, readTraceparent, traceIdOf, withTrace } from '../base/trace-context.ts';
import { type Log, logFailure, type Sender } from '../log.ts';
import type { Fetch } from './middleware.ts';
import { isError, isServerError, statusOf, toResponse } from './response.ts';

interface Metrics {
  readonly requestDuration: { series(labels: RequestLabels): Observer };
  readonly activeRequests: { set(count: number): void };
  onScrape(read: () => unknown): void;
}

type Method = (typeof knownMethods)[number] | typeof otherMethod;
type RequestLabels = Readonly<{
  http_request_method: Method;
  http_route: string | undefined;
  http_response_status_code: string;
}>;

interface RequestSpan {
  readonly traceparent: string;
  end(request: {
    readonly method: string;
    readonly route: string | null;
    readonly status: number;
    readonly hasFailed: boolean;
  }): void;
}

interface RequestTracer {
  startRequest(traceparent: string | undefined): RequestSpan;
}

/** The address of the client of a request, as `TRUSTED_PROXIES` has it. Undefined if its connection has ended. */
export type ClientOf = (request: Request) => string | undefined;

interface TelemetryOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracer?: RequestTracer | undefined;
  readonly clientOf: ClientOf;
}

export const createTelemetry = ({ log, metrics, tracer, clientOf }: TelemetryOptions) => {
  const requestMetrics = createRequestMetrics(metrics);

  /** Who has sent a request, for the lines of failures: only then must a person find the client. */
  const senderOf = (request: Request): Sender => ({ tokenId: contextOf(request)?.tokenId, client: clientOf(request) });

  /** Logs the cause of a failure of the service, with the id of its request. Failures of the client are not logged. */
  const recordFailure = (request: Request, error: unknown): void => {
    if (error instanceof AppError && !isServerError(statusOf(error.code))) return;
    logFailure(log, error, { requestId: contextOf(request)?.id, ...senderOf(request) });
  };

  const recordRoute: (context: { request: Request; route: string }) => void = ({ request, route }) => {
    const context = contextOf(request);
    if (context) context.route = route;
  };

  const wrap = (handle: Fetch) => async (request: Request) => {
    const context = beginContext(request);
    requestMetrics.begin();
    const span = tracer?.startRequest(context.traceparent);
    if (span) context.traceparent = span.traceparent;
    const startedAtMs = performance.now();
    let response: Response;
    try {
      response = await withTrace(context.traceparent, () => handle(request));
    } catch (cause) {
      recordFailure(request, cause);
      response = toResponse(cause);
    }
    const { id, traceparent, route, rateLimit } = context;
    response.headers.set('x-request-id', id);
    if (rateLimit) {
      response.headers.set('ratelimit-policy', rateLimit['ratelimit-policy']);
      response.headers.set('ratelimit', rateLimit.ratelimit);
    }
    const durationMs = performance.now() - startedAtMs;
    const { method } = request;
    const { status } = response;
    requestMetrics.end(method, route, status, durationMs);
    span?.end({ method, route: templateOf(route), status, hasFailed: isServerError(status) });
    log.request({
      requestId: id,
      traceId: traceparent === undefined ? undefined : traceIdOf(traceparent),
      method,
      route,
      status,
      durationMs: Math.round(durationMs * 1000) / 1000,
      sender: isError(status) ? senderOf(request) : undefined,
    });
    return response;
  };

  return { recordFailure, recordRoute, wrap };
};

/** The metrics of requests. They run for every request, so they look up a series by its parts, without building a string. */
export const createRequestMetrics = ({ requestDuration, activeRequests, onScrape }: Metrics) => {
  /** By route, and then by status and method. */
  const series = new Map<string | null, Map<number, Observer>>();
  let active = 0;
  onScrape(() => activeRequests.set(active));

  const addSeries = (route: string | null, status: number, method: number): Observer => {
    const observer = requestDuration.series({
      http_request_method: knownMethods[method] ?? otherMethod,
      http_route: templateOf(route) ?? undefined,
      http_response_status_code: `${status}`,
    });
    series.set(route, (series.get(route) ?? new Map()).set(seriesKeyOf(status, method), observer));
    return observer;
  };

  return {
    begin: (): void => {
      active += 1;
    },
    end: (name: string, route: string | null, status: number, durationMs: number): void => {
      active -= 1;
      const method = methodIndexes.get(name) ?? knownMethods.length;
      const observer = series.get(route)?.get(seriesKeyOf(status, method)) ?? addSeries(route, status, method);
      observer.observe(durationMs / 1000);
    },
  };
};

const seriesKeyOf = (status: number, method: number): number => status * 16 + method;
const methodIndexes: ReadonlyMap<string, number> = new Map(knownMethods.map((method, index) => [method, index]));

/** What the service knows about a request in progress. */
export interface RequestContext {
  /** The value of `X-Request-Id`, in the response and in the log. */
  readonly id: string;
  /** The `traceparent` to propagate (W3C Trace Context): that of the client, or of the request's own span if tracing is on. */
  traceparent: string | undefined;
  /** As in the route table. Null until it is known, and if there is none. */
  route: string | null;
  /** Of the token of the request, once it is found. It may be revoked or expired. */
  tokenId: string | undefined;
  /** Headers of the response (draft-ietf-httpapi-ratelimit-headers-11), once a rate limit has counted the request. */
  rateLimit?: Readonly<Record<'ratelimit-policy' | 'ratelimit', string>>;
}

const beginContext = (request: Known): RequestContext => {
  const { headers } = request;
  const sentId = headers.get('x-request-id');
  const context: RequestContext = {
    // An id from the client must be safe to write to the log.
    id: sentId !== null && requestIdForm.test(sentId) ? sentId : runtime.timeOrderedUuid(),
    traceparent: readTraceparent(headers.get('traceparent')),
    route: null,
    tokenId: undefined,
  };
  request[contextKey] = context;
  return context;
};

export const recordToken = (request: Request, id: string): void => {
  const context = contextOf(request);
  if (context) context.tokenId = id;
};

/** Undefined for a request that has no context. */
export const contextOf = (request: Known): RequestContext | undefined => request[contextKey];

/** A member of the request itself, since a WeakMap of requests takes 0.4 µs, and time of the garbage collector. */
const contextKey = Symbol('context');

type Known = Request & { [contextKey]?: RequestContext };

const requestIdForm = /^[A-Za-z0-9._-]{1,64}$/;

/** Converts a route of Elysia to the form of the document: `/plants/{id}` for `/plants/:id`. Null for the route of all other paths. */
const templateOf = (route: string | null): string | null =>
  route === null || route === '/*' ? null : route.replaceAll(/:(\w+)/g, '{$1}');
