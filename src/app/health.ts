import { AppError, isStopping, storeDamaged, storeSilent } from '../base/app-error.ts';
import { jsonResponse, toResponse } from '../http/response.ts';
import type { Store } from '../store/store.ts';

export const healthz = (): Response => jsonResponse({ status: 'ok' });

/**
 * Responds with `unavailable` when the service is stopping, and after damage was found. Neither is logged as a failure: the first is expected
 * at every restart, and the request that found damage is logged. Rejects with AppError `unavailable` when the store does not respond.
 */
export const readyz = (store: Store, stopping?: AbortSignal) => async (): Promise<Response> => {
  if (stopping?.aborted) return toResponse(new AppError(isStopping));
  if (store.isDamaged()) return toResponse(new AppError(storeDamaged));
  try {
    await store.ping();
  } catch (cause) {
    throw new AppError(storeSilent, { cause });
  }
  return jsonResponse({ status: 'ready' });
};
