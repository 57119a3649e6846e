import { AppError, isStopping, noAnswer } from '../domain/error.ts';
import type { Store } from '../store/store.ts';
import { jsonResponse } from './response.ts';

export const healthz = (): Response => jsonResponse({ status: 'ok' });

/** Rejects with AppError `unavailable` when the store does not answer, or the service is stopping. */
export const readyz = (store: Store, stopping?: AbortSignal) => async (): Promise<Response> => {
  if (stopping?.aborted) throw new AppError(isStopping);
  try {
    await store.ping();
  } catch (cause) {
    throw new AppError(noAnswer, { cause });
  }
  return jsonResponse({ status: 'ready' });
};
