import { bearer } from '@elysiajs/bearer';
import { Elysia, ValidationError } from 'elysia';
import { AppError, invalidBody, invalidQuery, noSuchPath } from '../domain/error.ts';
import type { Log } from '../log.ts';
import { authenticate, guardAuthorization } from './auth.ts';
import { allowOrigins } from './cors.ts';
import { listDeliveries, redeliver, testWebhook } from './deliveries/operations.ts';
import { createDocument } from './document/document.ts';
import { serveDocument } from './document/serve.ts';
import { listEvents } from './events/operations.ts';
import { healthz, readyz } from './health.ts';
import { refuseInvalidHost } from './host.ts';
import { refuseOtherMethods } from './methods.ts';
import { hooksOf, methodOf, type Operations, pathOf, type Services } from './operation.ts';
import { createPlant, deletePlant, getPlant, listPlants, updatePlant } from './plants/operations.ts';
import { toResponse } from './problem.ts';
import { createRequestLog } from './request-log.ts';
import { getToken } from './token.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, rotateWebhook } from './webhooks/operations.ts';

/** What the service does, by operationId, in the order of the document. */
export const operations: Operations = {
  listPlants,
  createPlant,
  getPlant,
  updatePlant,
  deletePlant,
  listEvents,
  listWebhooks,
  createWebhook,
  getWebhook,
  deleteWebhook,
  rotateWebhook,
  testWebhook,
  listDeliveries,
  redeliver,
  getToken,
};

export interface AppOptions extends Services {
  readonly log: Log;
  readonly operations?: Operations;
}

export interface App {
  /** Answers one request, and never rejects. */
  fetch(request: Request): Promise<Response>;
  /** The route table, to be held against the document. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

/**
 * The service as a function from Request to Response; it never listens.
 *
 * Requests are checked in this order: the paths that need no token, then the token, then the operations, then no such path.
 *
 * Two routers and not one, since Elysia lets a hook leak into routes that were registered before it when they share its
 * list of hooks. What holds for every route is hooked to the app that puts them together, before them.
 */
export const createApp = ({ log, operations: served = operations, ...services }: AppOptions): App => {
  const { store, config } = services;
  const requestLog = createRequestLog(log);

  const open = new Elysia(routing)
    .get('/healthz', healthz)
    .get('/readyz', readyz(store))
    .use(serveDocument(createDocument(served)))
    .use(refuseOtherMethods);

  const guarded = new Elysia(routing).onTransform(guardAuthorization).use(bearer()).derive(authenticate(store.tokens));
  for (const operation of Object.values(served)) {
    const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1');
    guarded.route(methodOf(operation), path, operation.handler(services), hooksOf(operation));
  }
  guarded.use(refuseOtherMethods).all('/*', () => {
    throw new AppError(noSuchPath);
  });

  const { fetch, routes } = new Elysia(routing)
    .onError(({ request, error }) => {
      const known = error instanceof ValidationError ? misfit(error) : error;
      requestLog.failure(request, known);
      return toResponse(known);
    })
    .onTransform(requestLog.note)
    .use(open)
    .use(guarded);
  return { fetch: requestLog.around(allowOrigins(config.corsOrigins, refuseInvalidHost(fetch))), routes };
};

/** A slash at the end makes another path, a body is left as it was sent, and a host may have one letter. */
const routing = { strictPath: true, normalize: false, handler: { standardHostname: false } } as const;

/** What a schema has refused, with the sentence of the schema. */
const misfit = ({ type, message }: ValidationError): AppError =>
  new AppError(type === 'query' ? invalidQuery(message) : invalidBody(message));
