import type { Elysia } from 'elysia';
import { newestTime } from '../base/dated-files.ts';
import { createInboxAddress, type InboxAddress } from '../base/inbox-address.ts';
import { spoolFolderOf } from '../config/spool-folder.ts';
import { startPruning } from '../events/prune.ts';
import { createPost, type PostMessage } from '../sender/attempt.ts';
import { startScheduler } from '../sender/scheduler.ts';
import type { StoreObserver } from '../storage/observer.ts';
import type { Store } from '../store/store.ts';
import { type Build, createMetrics, toStoreObserver } from '../telemetry/metrics.ts';
import { createUses } from '../tokens/uses.ts';
import type { WebhookRecord } from '../webhooks/webhook.ts';
import { type AppOptions, createApp } from './app.ts';

type PartsOfInbox = Pick<ServiceOptions, 'stopping' | 'limitTime'> & {
  readonly store: Store;
  readonly address: InboxAddress;
};

export interface ServiceOptions extends Omit<AppOptions, 'store' | 'metrics' | 'inbox' | 'stopping' | 'onTokenUse'> {
  readonly build: Build;
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal;
  readonly openStore: (observer: StoreObserver) => Store;
  /** The origin on which the service listens, which is known once it listens. */
  readonly serverUrl: () => string;
  /** Makes the routes of the receiver that is a part of the service. Omitted if it has none. */
  readonly createInbox?: ((parts: PartsOfInbox) => Elysia) | undefined;
  /** Default: a POST to a checked address. */
  readonly post?: PostMessage | undefined;
  /** Whether it sends to a webhook. Default: to all. */
  readonly isTarget?: (webhook: WebhookRecord) => boolean;
}

/** Opens the store, and makes the service on it: the app, and the jobs that send webhooks and remove old events. */
export const startService = ({
  build,
  openStore,
  serverUrl,
  createInbox,
  post,
  isTarget,
  ...options
}: ServiceOptions) => {
  const { config, log, tracer, stopping, limitTime } = options;
  const metrics = createMetrics(build);
  const store = openStore(toStoreObserver(metrics, tracer?.onBatch));
  const address = createInboxAddress(serverUrl);
  const routes = createInbox?.({ store, address, stopping, ...(limitTime && { limitTime }) });
  const uses = createUses({ tokens: store.tokens, log });
  const { fetch } = createApp({
    ...options,
    store,
    metrics,
    onTokenUse: uses.add,
    spoolFolder: spoolFolderOf(config),
    inbox: routes && { address, routes },
  });
  const { backupFolder } = config;
  if (backupFolder) metrics.onScrape(() => metrics.backupTime.set(newestTime(backupFolder) / 1000));
  let recordUses = async (): Promise<void> => {};
  const stops: ((graceMs: number) => Promise<void>)[] = [];
  return {
    store,
    fetch,
    startSender: (): void => {
      const send = post ?? createPost({ allowPrivate: config.webhookAllowPrivate, inbox: routes && address });
      stops.push(startScheduler({ store, post: send, log, metrics, tracer, ...(isTarget && { isTarget }) }).stop);
    },
    startPruning: (): void => {
      const { eventRetentionMs: retentionMs } = config;
      stops.push(startPruning({ events: store.events, retentionMs, log, metrics }));
    },
    /** Starts to record when tokens were last used. */
    startUses: (): void => {
      recordUses = uses.start();
    },
    /** Records the last uses, and no later ones. */
    recordUses: (): Promise<void> => recordUses(),
    /** Ends the other jobs. Attempts in flight may take `graceMs`. */
    stop: async (graceMs: number): Promise<void> => {
      await Promise.all(stops.map((stop) => stop(graceMs)));
    },
  };
};
