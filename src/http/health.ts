import { AppError } from '../domain/error.ts';
import type { Store } from '../store/store.ts';

/** The process answers. */
export const healthz = (): Response => Response.json({ status: 'ok' });

/** The store answers too; rejects with AppError `unavailable` when it does not. */
export const readyz = (store: Store) => async (): Promise<Response> => {
  try {
    await store.ping();
  } catch (cause) {
    throw new AppError('unavailable', 'The store does not answer.', {}, { cause });
  }
  return Response.json({ status: 'ready' });
};
