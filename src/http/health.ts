import { AppError, noAnswer } from '../domain/error.ts';
import type { Store } from '../store/store.ts';
import { jsonResponse } from './response.ts';

/** The process answers. */
export const healthz = (): Response => jsonResponse({ status: 'ok' });

/** The store answers too; rejects with AppError `unavailable` when it does not. */
export const readyz = (store: Store) => async (): Promise<Response> => {
  try {
    await store.ping();
  } catch (cause) {
    throw new AppError(noAnswer, { cause });
  }
  return jsonResponse({ status: 'ready' });
};
