import { bearer } from '@elysiajs/bearer';
import { Elysia, ValidationError } from 'elysia';
import { generateSecret } from '../base/signature.ts';
import { type Clock, createClock } from '../base/time.ts';
import { AppError, invalidQuery, noSuchPath } from '../domain/error.ts';
import { generateWebhookId } from '../domain/webhook.ts';
import type { Log } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { authenticate, guardAuthorization } from './auth.ts';
import { listDeliveries, redeliver, testWebhook } from './deliveries/operations.ts';
import { createDocument } from './document/document.ts';
import { serveDocument } from './document/serve.ts';
import { listEvents } from './events/operations.ts';
import { createStreams, type StreamObserver, type StreamsOptions } from './events/streams.ts';
import { healthz, readyz } from './health.ts';
import { getMetrics } from './metrics/operations.ts';
import { allowOrigins, rejectInvalidHost, rejectOtherMethods, routeHeadAsGet } from './middleware.ts';
import { hooksOf, methodOf, type Operations, pathOf, type Services } from './operation.ts';
import type { PageToken } from './page/page.ts';
import { createPlant, deletePlant, getPlant, listPlants, updatePlant } from './plants/operations.ts';
import { createRateLimits, type PeerOf } from './rate-limit.ts';
import { toResponse } from './response.ts';
import { createTelemetry } from './telemetry.ts';
import { getToken } from './token.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, rotateWebhook } from './webhooks/operations.ts';

/** The operations of the document, by operationId. */
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
  getMetrics,
};

interface AppOptions extends Pick<Services, 'store' | 'config'>, Partial<Pick<Services, 'metrics' | 'generate'>> {
  readonly log: Log;
  readonly operations?: Operations;
  readonly undocumented?: Operations;
  /** Aborted when the service begins to stop. */
  readonly stopping?: AbortSignal;
  readonly peerOf?: PeerOf;
  readonly clock?: Clock;
  /** Absent when nothing is traced. */
  readonly tracer?: Tracer | undefined;
  readonly limitTime?: StreamsOptions['limitTime'];
  /** Absent if the page only repeats the document. */
  readonly pageToken?: PageToken | undefined;
}

/**
 * The service as a function from Request to Response that never rejects, and its route table. It needs two routers, since a hook
 * also applies to routes that were registered before it in the same router. Hooks for every route are on the outer app.
 */
export const createApp = ({
  store,
  config,
  log,
  metrics = createMetrics(),
  generate = { webhookId: generateWebhookId, secret: generateSecret },
  operations: served = operations,
  undocumented = {},
  stopping,
  tracer,
  peerOf = () => undefined,
  clock = createClock(),
  limitTime,
  pageToken,
}: AppOptions) => {
  const streams = createStreams({ store, log, stopping, limitTime, observer: observeStreams(metrics) });
  const services = { store, config, metrics, streams, generate };
  const telemetry = createTelemetry(log, metrics, tracer);
  const { rateLimit: rate, trustedProxies } = config;
  const limits = rate && createRateLimits({ rate, trustedProxies, peerOf, clock, metrics });

  const open = new Elysia(routing)
    .get('/healthz', healthz)
    .get('/readyz', readyz(store, stopping))
    .use(serveDocument(() => createDocument(served), pageToken))
    .use(rejectOtherMethods);

  const guarded = new Elysia(routing)
    .onTransform(guardAuthorization)
    .use(bearer())
    .derive(authenticate(store.tokens, limits));
  for (const operation of Object.values({ ...served, ...undocumented })) {
    const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1');
    guarded.route(methodOf(operation), path, operation.handler(services), hooksOf(operation));
  }
  guarded.use(rejectOtherMethods).all('/*', () => {
    throw new AppError(noSuchPath);
  });

  const { fetch, routes } = new Elysia(routing)
    .onError(({ request, error }) => {
      // The message is the sentence of the schema.
      const cause = error instanceof ValidationError ? new AppError(invalidQuery(error.message)) : error;
      const known = limits?.countFailure(request, cause) ?? cause;
      telemetry.recordFailure(request, known);
      return toResponse(known);
    })
    .onTransform(telemetry.recordRoute)
    .use(open)
    .use(guarded);
  return {
    fetch: telemetry.wrap(allowOrigins(config.corsOrigins, rejectInvalidHost(routeHeadAsGet(fetch)))),
    routes,
  };
};

/** A trailing slash makes a different path, a body is not changed, and a host may have one letter. */
const routing = { strictPath: true, normalize: false, handler: { standardHostname: false } } as const;

/** A stream that its client closes is not a disconnect by the service. */
const observeStreams = ({ streams, streamDisconnects }: Metrics): StreamObserver => ({
  onOpened: () => streams.add(1),
  onEnded: (reason) => {
    streams.add(-1);
    if (reason !== 'gone') streamDisconnects.add(1, { reason });
  },
});
