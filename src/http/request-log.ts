/**
 * What every request gets: a line in the log, metrics, a span, and the headers of its id and rate limit in the response. Elysia's
 * hooks record the route. Everything else is done around Elysia, where even an error in its error handling becomes a response.
 */
import { traceIdOf } from '../base/trace-context.ts';
import { AppError } from '../domain/error.ts';
import { type Log, logFailure } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { Fetch } from './cors.ts';
import { beginContext, contextOf } from './request-context.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { isOwnFailure, isServerError, toResponse } from './response.ts';
import { templateOf } from './route.ts';

export const createRequestLog = (log: Log, metrics: Metrics, tracer?: Tracer) => {
  const requestMetrics = createRequestMetrics(metrics);

  /** Logs the cause of a failure of the service, with the id of its request. Failures of the client are not logged. */
  const failure = (request: Request, error: unknown): void => {
    if (error instanceof AppError && !isOwnFailure(error.code)) return;
    logFailure(log, error, { requestId: contextOf(request)?.id });
  };

  /** Records the route of a request, as in the route table. */
  const recordRoute = ({ request, route }: { request: Request; route: string }): void => {
    const context = contextOf(request);
    if (context) context.route = route;
  };

  /** Answers every request, counts it, and logs it. */
  const wrap = (handle: Fetch) => async (request: Request) => {
    const context = beginContext(request);
    requestMetrics.begin();
    const span = tracer?.startRequest(context.traceparent);
    if (span) context.traceparent = span.traceparent;
    const startedAtMs = performance.now();
    let response: Response;
    try {
      response = await handle(request);
    } catch (cause) {
      failure(request, cause);
      response = toResponse(cause);
    }
    const { id, traceparent, route, rateLimit } = context;
    response.headers.set('x-request-id', id);
    if (rateLimit) {
      response.headers.set('ratelimit-policy', rateLimit.quota);
      response.headers.set('ratelimit', rateLimit.available);
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
    });
    return response;
  };

  return { failure, recordRoute, wrap };
};
