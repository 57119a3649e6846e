import { tmpdir } from 'node:os';
import { bearer } from '@elysiajs/bearer';
import { Elysia, ValidationError } from 'elysia';
import { AppError, invalidPathId, noSuchPath } from '../base/app-error.ts';
import type { InboxAddress } from '../base/inbox-address.ts';
import { createClientAddress } from '../base/network.ts';
import { generateSecret } from '../base/signature.ts';
import { type Clock, createClock } from '../base/time.ts';
import { listDeliveries, listDeliveriesByState, redeliver, testWebhook } from '../deliveries/operations.ts';
import { listEvents } from '../events/operations.ts';
import { createStreams, type EndReason } from '../events/streams.ts';
import { authenticate, guardAuthorization } from '../http/auth.ts';
import { allowOrigins, checkHost, rejectOtherMethods, routeHeadAsGet } from '../http/middleware.ts';
import type { Operations } from '../http/operation.ts';
import { queryFailure } from '../http/parameters.ts';
import { createPathPrefix } from '../http/path-prefix.ts';
import { plugin, routing } from '../http/plugin.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import { toResponse } from '../http/response.ts';
import { createTelemetry } from '../http/telemetry.ts';
import type { Log } from '../log.ts';
import { serveConsole } from '../pages/console.ts';
import { serveLessons } from '../pages/lessons.ts';
import type { PageToken } from '../pages/options.ts';
import { serveDocument } from '../pages/serve.ts';
import { redirectSlashes } from '../pages/slash.ts';
import { deletePicture, getPicture, putPicture } from '../pictures/operations.ts';
import { createPlant, deletePlant, getPlant, listPlants, updatePlant } from '../plants/operations.ts';
import { exportPlants, importPlants } from '../plants/transfer/operations.ts';
import type { HttpServer } from '../runtime/runtime.ts';
import type { Store } from '../store/store.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { getMetrics } from '../telemetry/operations.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, rotateWebhook } from '../webhooks/operations.ts';
import { generateWebhookId } from '../webhooks/webhook.ts';
import { healthz, readyz } from './health.ts';
import { onlyReads } from './read-only.ts';
import type { Services } from './services.ts';
import { getToken } from './token.ts';

/** The plugins, one for each resource, with their operations in the order of the document. */
const plants = plugin({ listPlants, createPlant, getPlant, deletePlant, updatePlant });
const transfer = plugin({ importPlants, exportPlants });
const pictures = plugin({ getPicture, putPicture, deletePicture });
const events = plugin({ listEvents });
const webhooks = plugin({ listWebhooks, createWebhook, getWebhook, deleteWebhook, rotateWebhook });
const deliveries = plugin({ testWebhook, listDeliveries, redeliver, listDeliveriesByState });
const token = plugin({ getToken });
const metricsPage = plugin({ getMetrics });

/** The operations of the document, by operationId. */
export const operations = {
  ...plants.operations,
  ...transfer.operations,
  ...pictures.operations,
  ...events.operations,
  ...webhooks.operations,
  ...deliveries.operations,
  ...token.operations,
  ...metricsPage.operations,
} satisfies Operations;

/** The type of the app, for clients in TypeScript: `treaty<App>(url)`. */
export type App = ReturnType<typeof createApp>['app'];

export interface AppOptions
  extends Pick<Services, 'config'>,
    Partial<
      Pick<Services, 'metrics' | 'generate' | 'spoolFolder'> & Pick<HttpServer, 'peerOf' | 'isPending' | 'limitTime'>
    > {
  readonly store: Store;
  readonly log: Log;
  readonly operations?: Operations;
  readonly undocumented?: Operations;
  /** Aborted when the service begins to stop. */
  readonly stopping?: AbortSignal;
  readonly clock?: Clock;
  readonly tracer?: Tracer | undefined;
  /** Called with the id of the token of each request and, from time to time, of each live stream. */
  readonly onTokenUse?: ((tokenId: string) => void) | undefined;
  /** What the page shows for its token, instead of the description in the document. */
  readonly pageToken?: PageToken | undefined;
  /** The receiver of webhooks that a service has in development, and a demo: its routes need no token. */
  readonly inbox?: { readonly address: InboxAddress; readonly routes: Elysia } | undefined;
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
  operations: served = config.isReadOnly ? onlyReads(operations) : operations,
  undocumented = {},
  stopping,
  tracer,
  peerOf = () => undefined,
  clock = createClock(),
  isPending = () => false,
  limitTime = () => {},
  spoolFolder = tmpdir(),
  onTokenUse = () => {},
  pageToken,
  inbox,
}: AppOptions) => {
  // A stream that its client closes is not a disconnect by the service.
  const onEnded = (reason: EndReason): void => {
    if (reason !== 'gone') metrics.streamDisconnects.add(1, { reason });
  };
  const streams = createStreams({ store, log, stopping, limitTime, onEnded, onTokenUse });
  metrics.onScrape(() => metrics.streams.set(streams.count()));
  const services: Services = {
    ...store,
    config,
    metrics,
    streams,
    generate,
    inbox: inbox?.address,
    spoolFolder,
    isPending,
    limitTime,
    log,
  };
  const { rateLimit: rate, trustedProxies } = config;
  const clientAddress = createClientAddress(trustedProxies);
  const clientOf = (request: Request) => clientAddress(peerOf(request), request.headers.get('x-forwarded-for'));
  const telemetry = createTelemetry({ log, metrics, tracer, clientOf });
  const pages = { token: pageToken, hasConsole: config.hasConsole, hasInbox: inbox !== undefined };
  const limits = rate && createRateLimits({ rate, clientOf, clock, metrics });

  const unguarded = new Elysia(routing)
    .get('/healthz', healthz)
    .get('/readyz', readyz(store, stopping))
    .use(
      serveDocument(
        async (serverUrl) => {
          // Only a request for the document needs it.
          const { createDocument } = await import('../document/document.ts');
          return createDocument(served, { serverUrl, isRateLimited: rate !== undefined });
        },
        createPathPrefix(trustedProxies, peerOf),
        pages,
      ),
    )
    .use(config.hasConsole ? serveConsole(pages) : new Elysia())
    .use(serveLessons(pages))
    .use(inbox?.routes ?? new Elysia())
    .use(
      redirectSlashes(['swagger', 'lessons', ...(config.hasConsole ? ['console'] : []), ...(inbox ? ['inbox'] : [])]),
    )
    .use(rejectOtherMethods);

  const guarded = new Elysia(routing)
    .onTransform(guardAuthorization)
    .use(bearer())
    .derive(authenticate(store.tokens, onTokenUse, limits))
    .use(plants(services, served))
    .use(transfer(services, served))
    .use(pictures(services, served))
    .use(events(services, served))
    .use(webhooks(services, served))
    .use(deliveries(services, served))
    .use(token(services, served))
    .use(metricsPage(services, served))
    .use(plugin(undocumented)(services))
    .use(rejectOtherMethods)
    .all('/*', () => {
      throw new AppError(noSuchPath);
    });

  const app = new Elysia(routing)
    .onError(({ request, error }) => {
      const cause = error instanceof ValidationError ? new AppError(failureOf(error, request.url)) : error;
      const known = limits?.countFailure(request, cause) ?? cause;
      telemetry.recordFailure(request, known);
      return toResponse(known);
    })
    .onTransform(telemetry.recordRoute)
    .use(unguarded)
    .use(guarded);
  return {
    fetch: telemetry.wrap(
      allowOrigins(config.corsOrigins, checkHost(config.requiresLoopbackHost, routeHeadAsGet(app.fetch))),
    ),
    app,
  };
};

const failureOf = ({ type, validator }: ValidationError, url: string) => {
  if (type === 'params') return invalidPathId;
  if (!('Schema' in validator)) throw new Error(`Elysia has no schema of the ${type}.`);
  return queryFailure(url, validator.Schema());
};
