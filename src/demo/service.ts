/**
 * The service on a store in memory, with the sample data. It is deterministic: the time of all writes is `demoTime`, and the
 * ids and secrets of webhooks are always the same. Only the sender uses the real time, since receivers check it.
 */
import type { Config } from '../config.ts';
import { createDemoMint, demoTime, demoToken } from '../domain/sample-data.ts';
import type { WebhookRecord } from '../domain/webhook.ts';
import { createApp, operations } from '../http/app.ts';
import type { Operations } from '../http/operation.ts';
import type { Log } from '../log.ts';
import { type Build, createMetrics, toStoreObserver } from '../metrics.ts';
import type { StoreObserver } from '../store/observer.ts';
import type { Store } from '../store/store.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { createPost, type Post } from '../webhooks/attempt.ts';
import { startScheduler } from '../webhooks/scheduler.ts';
import { fill } from './fill.ts';
import { withPreferences } from './preference.ts';

export interface ServiceOptions extends Pick<Parameters<typeof createApp>[0], 'peerOf' | 'limitTime'> {
  readonly config: Config;
  readonly log: Log;
  readonly build: Build;
  readonly openStore: (options: { readonly now: () => Date; readonly observer: StoreObserver }) => Store;
  readonly tracer?: Tracer | undefined;
  readonly isSending: boolean;
  readonly post?: Post;
  /** Aborted when the demo begins to stop. */
  readonly stopping: AbortSignal;
  readonly undocumented: Operations;
}

export type Service = Awaited<ReturnType<typeof startService>>;

export const startService = async ({
  config,
  log,
  build,
  openStore,
  tracer,
  isSending,
  post = createPost({ allowPrivate: config.webhookAllowPrivate }),
  stopping,
  ...options
}: ServiceOptions) => {
  let time = new Date(demoTime);
  const setTime = (text: string): void => {
    time = new Date(text);
  };
  const metrics = createMetrics(build);
  const store = openStore({ now: () => time, observer: toStoreObserver(metrics, tracer?.onBatch) });
  await fill(store, setTime);
  setTime(demoTime);

  const replaced = new AbortController();
  const mint = createDemoMint();
  const signal = AbortSignal.any([stopping, replaced.signal]);
  const app = createApp({
    store,
    config,
    log,
    metrics,
    tracer,
    mint,
    stopping: signal,
    pageToken,
    operations: documented,
    ...options,
  });
  const scheduler = isSending ? startScheduler({ store, post, log, metrics, tracer, isTarget }) : undefined;
  const requests = createRequestCount();
  return {
    fetch: (request: Request): Promise<Response> => requests.count(app.fetch(request)),
    /** Ends the streams, waits at most `graceMs` for attempts and without a limit for requests, and closes the store. */
    stop: async (graceMs: number): Promise<void> => {
      replaced.abort();
      await Promise.all([scheduler?.stop(graceMs), requests.none()]);
      await store.close();
    },
  };
};

const documented = withPreferences(operations);

const pageToken = { hint: 'A public token of the demo, with all scopes.', text: demoToken };

/** The receivers of the examples do not exist: their domains are reserved for documentation (RFC 2606). */
const isTarget = ({ url }: WebhookRecord): boolean => !/(^|\.)example\.(com|net|org)\.?$/.test(new URL(url).hostname);

const createRequestCount = () => {
  let inProgress = 0;
  const ended = Promise.withResolvers<void>();
  let isEnding = false;
  const endIfNone = (): void => {
    if (isEnding && inProgress === 0) ended.resolve();
  };
  return {
    count: async (response: Response | Promise<Response>): Promise<Response> => {
      inProgress += 1;
      try {
        return await response;
      } finally {
        inProgress -= 1;
        endIfNone();
      }
    },
    /** Resolves once no request is in progress. */
    none: (): Promise<void> => {
      isEnding = true;
      endIfNone();
      return ended.promise;
    },
  };
};
