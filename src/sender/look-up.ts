/** The look-ups of the hosts of webhooks. Attempts that need the same host at the same time share one. */
import type { LookUp } from '../base/dns.ts';

/**
 * Less than the time of an attempt, and enough for a name server that takes six seconds for each of two queries.
 *
 * @limit Webhooks | Duration of a DNS look-up | the attempt fails
 */
const lookUpTimeoutMs = 13_000;

/** Resolves to the addresses of a host, in the order to try them, or to an empty list. `stopped` ends the look-up. */
export type LookUpHost = (host: string, stopped: AbortSignal) => Promise<readonly string[]>;

export const createLookUp = (
  lookUp: LookUp,
  { isLocal, timeoutMs = lookUpTimeoutMs }: { readonly isLocal: boolean; readonly timeoutMs?: number },
): LookUpHost => {
  /** By host. One that does not end keeps its place, so that a host never has two. */
  const running = new Map<string, Promise<readonly string[]>>();

  const start = (host: string, stopped: AbortSignal): Promise<readonly string[]> => {
    const ending = new AbortController();
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    const end = (): void => {
      ending.abort();
      resolve([]);
    };
    const timer = setTimeout(end, timeoutMs);
    stopped.addEventListener('abort', end);
    if (stopped.aborted) end();
    void lookUp(host, { signal: ending.signal, isLocal })
      .then(resolve, () => resolve([]))
      .finally(() => {
        running.delete(host);
        clearTimeout(timer);
        stopped.removeEventListener('abort', end);
      });
    running.set(host, promise);
    return promise;
  };

  return (host, stopped) => running.get(host) ?? start(host, stopped);
};
