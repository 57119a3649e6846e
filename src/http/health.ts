import { AppError, isStopping, storeSilent } from '../app-error.ts';
import type { Store } from '../store/store.ts';
import { jsonResponse, toResponse } from './response.ts';

export const healthz = (): Response => jsonResponse({ status: 'ok' });

/**
 * Responds with `unavailable` when the service is stopping. This is expected at every restart, so that it is not logged as a failure. Rejects
 * with AppError `unavailable` when the store does not respond.
 */
export const readyz = (store: Store, stopping?: AbortSignal) => async (): Promise<Response> => {
  if (stopping?.aborted) return toResponse(new AppError(isStopping));
  try {
    await store.ping();
  } catch (cause) {
    throw new AppError(storeSilent, { cause });
  }
  return jsonResponse({ status: 'ready' });
};
