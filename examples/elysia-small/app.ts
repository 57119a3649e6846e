import { bearer } from '@elysiajs/bearer';
import { Elysia } from 'elysia';
import type { Database } from './database.ts';
import { AppError, unauthorized } from './errors.ts';
import { plantRoutes } from './plants.ts';

export type App = ReturnType<typeof createApp>;

/** The service as a value: tests call it without a port. `token` is what clients send as `Authorization: Bearer …`. */
export const createApp = (db: Database, token: string) =>
  new Elysia()
    .error({ APP: AppError })
    .onError(({ code, error, status }) => {
      if (code === 'APP') return status(error.status, { message: error.message });
      // Plant Store: names the member by a JSON Pointer, because Elysia's message repeats what the client has sent.
      if (code === 'VALIDATION' || code === 'PARSE') return status(400, { message: 'The request is invalid.' });
      if (code === 'NOT_FOUND') return status(404, { message: 'There is no such path.' });
      console.error(error);
      return status(500, { message: 'The service has a defect.' });
    })
    .get('/healthz', () => ({ status: 'ok' }))
    .use(bearer())
    // Plant Store: many tokens with scopes, stored as hashes, and a check of the header before the plugin reads it.
    .onBeforeHandle(({ bearer }) => {
      if (bearer !== token) throw unauthorized();
    })
    .use(plantRoutes(db));
