/**
 * The service on a store in memory, with the sample data. It is deterministic: the time of all writes is `demoTime`, and the
 * ids and secrets of webhooks are always the same. Only the sender uses the real time, since receivers check it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../app/app.ts';
import { type ServiceOptions, startService } from '../app/service.ts';
import type { Config } from '../config/config.ts';
import { type Operations, operation } from '../http/operation.ts';
import { type Log, logFailure } from '../log.ts';
import { demoTime } from '../plants/sample.ts';
import type { PostMessage } from '../sender/attempt.ts';
import type { StoreObserver } from '../storage/observer.ts';
import type { Store } from '../store/store.ts';
import type { Build } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { demoToken } from '../tokens/sample.ts';
import { createDemoGenerators } from '../webhooks/sample.ts';
import type { WebhookRecord } from '../webhooks/webhook.ts';
import { fill } from './fill.ts';
import { withPreferences } from './preference.ts';

export interface DemoOptions extends Pick<ServiceOptions, 'peerOf' | 'isPending' | 'limitTime'> {
  readonly config: Config;
  readonly log: Log;
  readonly build: Build;
  readonly openStore: (options: { readonly now: () => Date; readonly observer: StoreObserver }) => Store;
  readonly tracer?: Tracer | undefined;
  readonly isSending: boolean;
  /** The origin on which the demo listens, which is known once it listens. */
  readonly serverUrl?: () => string;
  readonly post?: PostMessage;
  readonly delayMs?: number | undefined;
}

/**
 * Starts a service that a request can reset. A reset starts a second service, passes all further requests to it, and stops the
 * first one. So no data of the first one remains, and its requests in progress get their responses.
 */
export const startDemo = async ({ delayMs = 0, ...options }: DemoOptions) => {
  const stopping = new AbortController();
  const start = (): Promise<Service> => startFilled(options, stopping.signal, createReset(reset));
  const replace = async (): Promise<void> => {
    const next = await start();
    const before = service;
    service = next;
    void before.stop(0).catch((error: unknown) => logFailure(options.log, error));
  };
  let replacing: Promise<void> | undefined;
  /** Concurrent resets share one new service, which is unchanged until it receives requests. */
  const reset = (): Promise<void> => {
    replacing ??= replace().finally(() => {
      replacing = undefined;
    });
    return replacing;
  };
  let service = await start();
  return {
    fetch: delayResponses((request) => service.fetch(request), delayMs, stopping.signal),
    /** Ends the streams, and stops the service once `ended` resolves: then no more requests arrive. */
    stop: async (ended: Promise<void>, graceMs: number): Promise<void> => {
      stopping.abort();
      await ended;
      await service.stop(graceMs);
    },
  };
};

type Service = Awaited<ReturnType<typeof startFilled>>;

const startFilled = async (
  { openStore, isSending, serverUrl = () => 'http://127.0.0.1:3000', ...options }: Omit<DemoOptions, 'delayMs'>,
  stopping: AbortSignal,
  undocumented: Operations,
) => {
  let time = new Date(demoTime);
  const setTime = (text: string): void => {
    time = new Date(text);
  };
  const replaced = new AbortController();
  const ending = AbortSignal.any([stopping, replaced.signal]);
  const { createInbox } = await import('./inbox/inbox.ts');
  const service = startService({
    ...options,
    openStore: (observer) => openStore({ now: () => time, observer }),
    serverUrl,
    generate: createDemoGenerators(),
    stopping: ending,
    pageToken,
    // The app checks the Host, if that is necessary.
    createInbox: (parts) => createInbox({ ...parts, token: pageToken, requiresLoopbackHost: false }),
    operations: documented,
    undocumented,
    isTarget,
  });
  const { store } = service;
  await fill(store, setTime);
  setTime(demoTime);
  if (isSending) service.startSender();
  const inProgress = new Set<Promise<Response>>();
  return {
    fetch: (request: Request): Promise<Response> => {
      const response = Promise.resolve(service.fetch(request)).finally(() => inProgress.delete(response));
      inProgress.add(response);
      return response;
    },
    /**
     * Ends the streams, waits at most `graceMs` for attempts and without a limit for requests, and closes the store. No more
     * requests may arrive.
     */
    stop: async (graceMs: number): Promise<void> => {
      replaced.abort();
      await Promise.all([service.stop(graceMs), Promise.allSettled(inProgress)]);
      await store.close();
    },
  };
};

const documented = withPreferences(operations);

const pageToken = { hint: 'A public token of the demo, with all scopes.', text: demoToken };

/** The receivers of the examples do not exist: their domains are reserved for documentation (RFC 2606). */
const isTarget = ({ url }: WebhookRecord): boolean => !/(^|\.)example\.(com|net|org)\.?$/.test(new URL(url).hostname);

/** `POST /__demo/reset`, with any token. The service responds when all data are restored. */
const createReset = (reset: () => Promise<void>): Operations => ({
  resetDemo: operation({
    route: 'POST /__demo/reset',
    summary: 'Reset the demo',
    description: 'Restores the data of the examples in the document.',
    responses: { 204: { description: 'All data are restored.' } },
    handler: () => async () => {
      await reset();
      return new Response(null, { status: 204 });
    },
  }),
});

type Fetch = (request: Request) => Promise<Response>;

/** Returns each response `delayMs` after its request, or later if the response takes longer. After an abort, nothing is delayed. */
const delayResponses = (fetch: Fetch, delayMs: number, signal: AbortSignal): Fetch => {
  if (delayMs === 0) return fetch;
  return async (request) => {
    // It only rejects when it is aborted.
    const isOver = sleep(delayMs, undefined, { signal }).catch(() => {});
    const [response] = await Promise.all([fetch(request), isOver]);
    return response;
  };
};
