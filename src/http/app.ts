import { bearer } from '@elysiajs/bearer';
import { Elysia, ValidationError } from 'elysia';
import { int64FromCanonical } from '../base/int64.ts';
import type { Config } from '../config.ts';
import { AppError, type ErrorCode } from '../domain/error.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { authenticate, guardAuthorization, requireScope } from './auth.ts';
import { readBody } from './body.ts';
import { versionsToMatch } from './conditional.ts';
import { allowOrigins } from './cors.ts';
import { listDeliveries, redeliver, testWebhook } from './deliveries.ts';
import { docs } from './docs.ts';
import { listEvents } from './events.ts';
import { healthz, readyz } from './health.ts';
import { refuseInvalidHost } from './host.ts';
import { refuseOtherMethods } from './methods.ts';
import { createPlant, deletePlant, getPlant, listPlants, updatePlant } from './plants.ts';
import { toResponse } from './problem.ts';
import { readQueryOf } from './query.ts';
import { createRequestLog } from './request-log.ts';
import { DeliveryListQuery } from './schemas/deliveries.ts';
import { EventListQuery } from './schemas/events.ts';
import {
  NewPlant,
  PlantListQuery,
  PlantPatch,
  PlantPath,
  type PlantPathParams,
  pathIdError,
} from './schemas/plants.ts';
import { NewWebhook } from './schemas/webhooks.ts';
import { getToken } from './token.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, rotateWebhook } from './webhooks.ts';

export interface AppOptions {
  readonly store: Store;
  readonly config: Config;
  readonly log: Log;
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
 * The table is in the order of the checks: the paths that need no token, then the token, then the paths that do, then
 * no such path. Within a route `transform` runs in order and before the schemas are checked: scope, what must hold before
 * the body, then the body. So nothing of a body is read before token and scope hold.
 *
 * Two routers and not one, since Elysia lets a hook leak into routes that were registered before it when they share its
 * list of hooks. What holds for every route is hooked to the app that puts them together, before them.
 */
export const createApp = ({ store, config, log }: AppOptions): App => {
  const requestLog = createRequestLog(log);

  const open = new Elysia(routing)
    .get('/healthz', healthz)
    .get('/readyz', readyz(store))
    .use(docs())
    .use(refuseOtherMethods);

  const guarded = new Elysia(routing)
    .onTransform(guardAuthorization)
    .use(bearer())
    .derive(authenticate(store.tokens))
    .get('/plants', listPlants(store.plants), {
      transform: [requireScope('plants:read'), readQueryOf(PlantListQuery)],
      query: PlantListQuery,
    })
    .post('/plants', createPlant(store.plants), {
      parse: bodyLater,
      transform: [requireScope('plants:write'), readBody('application/json')],
      body: NewPlant,
    })
    .get('/plants/:id', getPlant(store.plants), { transform: requireScope('plants:read'), params: PlantPath })
    .patch('/plants/:id', updatePlant(store.plants), {
      parse: bodyLater,
      transform: [
        requireScope('plants:write'),
        checkPlantId,
        checkIfMatch,
        readBody('application/merge-patch+json', 'application/json'),
      ],
      params: PlantPath,
      body: PlantPatch,
    })
    .delete('/plants/:id', deletePlant(store.plants), { transform: requireScope('plants:write'), params: PlantPath })
    .get('/events', listEvents(store.events), {
      transform: [requireScope('plants:read'), readQueryOf(EventListQuery)],
      query: EventListQuery,
    })
    .get('/webhooks', listWebhooks(store.webhooks), { transform: requireScope('webhooks:read') })
    .post('/webhooks', createWebhook(store.webhooks, { allowPrivate: config.webhookAllowPrivate }), {
      parse: bodyLater,
      transform: [requireScope('webhooks:write'), readBody('application/json')],
      body: NewWebhook,
    })
    .get('/webhooks/:webhookId', getWebhook(store.webhooks), { transform: requireScope('webhooks:read') })
    .delete('/webhooks/:webhookId', deleteWebhook(store.webhooks), { transform: requireScope('webhooks:write') })
    .post('/webhooks/:webhookId/rotate', rotateWebhook(store.webhooks), {
      parse: bodyLater,
      transform: requireScope('webhooks:write'),
    })
    .post('/webhooks/:webhookId/test', testWebhook(store.deliveries), {
      parse: bodyLater,
      transform: requireScope('webhooks:write'),
    })
    .get('/webhooks/:webhookId/deliveries', listDeliveries(store.deliveries), {
      transform: [requireScope('webhooks:read'), readQueryOf(DeliveryListQuery)],
      query: DeliveryListQuery,
    })
    .post('/webhooks/:webhookId/deliveries/:deliveryId/redeliver', redeliver(store.deliveries), {
      parse: bodyLater,
      transform: requireScope('webhooks:write'),
    })
    .get('/token', getToken)
    .use(refuseOtherMethods)
    .all('/*', () => {
      throw new AppError('no_such_path', 'There is no such path.');
    });

  const { fetch, routes } = new Elysia(routing)
    .onError(({ request, error }) => {
      const known = asAppError(error) ?? error;
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

/** Keeps Elysia from reading the body in its own way and before the token is checked. */
const bodyLater = () => null;

/** The schema of the path would be checked after the body. */
const checkPlantId = ({ params }: { params: PlantPathParams }): void => {
  if (int64FromCanonical(params.id) === undefined) throw new AppError('invalid_path_id', pathIdError);
};

const checkIfMatch = ({ request: { headers } }: { request: Request }): void => {
  versionsToMatch(headers);
};

const invalid: Readonly<Record<string, ErrorCode>> = {
  body: 'invalid_body',
  query: 'invalid_query',
  params: 'invalid_path_id',
};

/** An error that the caller can act on, or `undefined` for a defect. */
const asAppError = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error;
  if (!(error instanceof ValidationError)) return undefined;
  const code = invalid[error.type];
  return code && new AppError(code, error.message);
};
