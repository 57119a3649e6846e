/**
 * One line in the log for each request, whatever its outcome. Elysia's hooks note what only the route knows; the line is written
 * around all of Elysia, where even a failure in its error handling becomes an answer.
 */
import { AppError } from '../domain/error.ts';
import { type Log, logFailure } from '../log.ts';
import type { Fetch } from './cors.ts';
import { isOwnFailure, toResponse } from './response.ts';

export const createRequestLog = (log: Log) => {
  const requests = new WeakMap<Request, { readonly id: string; route: string | null }>();

  /** Logs the cause of a failure of the service, with the id of its request. The caller's failures are not logged. */
  const failure = (request: Request, error: unknown): void => {
    if (error instanceof AppError && !isOwnFailure(error.code)) return;
    logFailure(log, error, { requestId: requests.get(request)?.id });
  };

  /** Notes the route of a request, as the route table has it. */
  const note = ({ request, route }: { request: Request; route: string }): void => {
    const entry = requests.get(request);
    if (entry) entry.route = route;
  };

  /** Answers every request, and logs it. */
  const around = (handle: Fetch) => async (request: Request) => {
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
  };

  return { failure, note, around };
};
