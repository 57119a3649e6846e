import { createReset } from './reset.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/**
 * Starts a service that a request can reset. A reset starts another service beside it, lets that take the requests from then on,
 * and stops the first one. So nothing of the first remains, and requests in flight are answered.
 */
export const startDemo = async (options: Omit<ServiceOptions, 'undocumented'>) => {
  const start = (): Promise<Service> => startService({ ...options, undocumented: createReset(reset) });
  const reset = async (): Promise<void> => {
    const next = await start();
    const before = service;
    service = next;
    void before.stop(0).catch((error: unknown) => options.log.error({ err: error }, 'defect'));
  };
  let service = await start();
  return {
    fetch: (request: Request): Promise<Response> => service.fetch(request),
    stop: (graceMs: number): Promise<void> => service.stop(graceMs),
  };
};
