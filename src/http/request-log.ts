/**
 * One line for each request, whatever its outcome. What only the route knows is noted while the request is handled; the
 * line is written around all of Elysia, where a failure in the handling of a failure still becomes an answer.
 */
import { AppError } from '../domain/error.ts';
import { type Log, logFailure } from '../log.ts';
import { isOwnFailure, toResponse } from './problem.ts';

export interface RequestLog {
  /** Notes the route that a request has taken, as it is written in the route table. */
  note(context: { request: Request; route: string }): void;
  /** Logs the cause of a failure that is the service's own, with the id of its request; what the caller can mend is no news. */
  failure(request: Request, error: unknown): void;
  /** Answers every request, and logs it. */
  around(handle: (request: Request) => Response | Promise<Response>): (request: Request) => Promise<Response>;
}

export const createRequestLog = (log: Log): RequestLog => {
  const requests = new WeakMap<Request, { readonly id: string; route: string | null }>();

  const failure = (request: Request, error: unknown): void => {
    if (error instanceof AppError && !isOwnFailure(error.code)) return;
    logFailure(log, error, { requestId: requests.get(request)?.id });
  };

  return {
    note: ({ request, route }) => {
      const entry = requests.get(request);
      if (entry) entry.route = route;
    },
    failure,
    around: (handle) => async (request) => {
      const entry = { id: Bun.randomUUIDv7(), route: null };
      const startedAtMs = performance.now();
      requests.set(request, entry);
      let response: Response;
      try {
        response = await handle(request);
      } catch (cause) {
        failure(request, cause);
        response = toResponse(cause);
      }
      log.request({
        requestId: entry.id,
        method: request.method,
        route: entry.route,
        status: response.status,
        durationMs: Math.round((performance.now() - startedAtMs) * 1000) / 1000,
      });
      return response;
    },
  };
};
