import { logFailure } from '../log.ts';
import { delayResponses } from './delay.ts';
import { createReset } from './reset.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

export type Demo = Awaited<ReturnType<typeof startDemo>>;

interface DemoOptions extends Omit<ServiceOptions, 'undocumented' | 'stopping'> {
  readonly delayMs?: number | undefined;
}

/**
 * Starts a service that a request can reset. A reset starts a second service, passes all further requests to it, and stops the
 * first one. So no data of the first one remains, and its requests in progress are answered.
 */
export const startDemo = async ({ delayMs = 0, ...options }: DemoOptions) => {
  const stopping = new AbortController();
  const start = (): Promise<Service> =>
    startService({ ...options, stopping: stopping.signal, undocumented: createReset(reset) });
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
    /** Ends the streams, and stops the service once `answered` resolves: then no more requests arrive. */
    stop: async (answered: Promise<void>, graceMs: number): Promise<void> => {
      stopping.abort();
      await answered;
      await service.stop(graceMs);
    },
  };
};
