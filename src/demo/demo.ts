import { createReset } from './reset.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/**
 * Starts a service that a request can reset. A reset starts another service beside it, lets that take the requests from then on,
 * and stops the first one. So nothing of the first remains, and requests in flight are answered.
 */
export const startDemo = async (options: Omit<ServiceOptions, 'undocumented' | 'stopping'>) => {
  const stopping = new AbortController();
  const start = (): Promise<Service> =>
    startService({ ...options, stopping: stopping.signal, undocumented: createReset(reset) });
  const replace = async (): Promise<void> => {
    const next = await start();
    const before = service;
    service = next;
    void before.stop(0).catch((error: unknown) => options.log.error({ err: error }, 'defect'));
  };
  let replacing: Promise<void> | undefined;
  /** Resets at the same time share one service: until it takes the requests, nothing has changed it. */
  const reset = (): Promise<void> => {
    replacing ??= replace().finally(() => {
      replacing = undefined;
    });
    return replacing;
  };
  let service = await start();
  return {
    fetch: (request: Request): Promise<Response> => service.fetch(request),
    /** Ends the streams, and stops the service once `answered` says that no more requests come. */
    stop: async (answered: Promise<void>, graceMs: number): Promise<void> => {
      stopping.abort();
      await answered;
      await service.stop(graceMs);
    },
  };
};
