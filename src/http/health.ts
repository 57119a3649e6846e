import { AppError, noAnswer } from '../domain/error.ts';
import type { Store } from '../store/store.ts';
import { jsonResponse } from './response.ts';

export const healthz = (): Response => jsonResponse({ status: 'ok' });

/** Rejects with AppError `unavailable` when the store does not answer. */
export const readyz = (store: Store) => async (): Promise<Response> => {
  try {
    await store.ping();
  } catch (cause) {
    throw new AppError(noAnswer, { cause });
  }
  return jsonResponse({ status: 'ready' });
};
