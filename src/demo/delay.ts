import { setTimeout as sleep } from 'node:timers/promises';

type Fetch = (request: Request) => Promise<Response>;

/** Returns each response `delayMs` after its request, or later if the response takes longer. After an abort, nothing is delayed. */
export const delayResponses = (fetch: Fetch, delayMs: number, signal: AbortSignal): Fetch => {
  if (delayMs === 0) return fetch;
  return async (request) => {
    // It only rejects when it is aborted.
    const isOver = sleep(delayMs, undefined, { signal }).catch(() => {});
    const [response] = await Promise.all([fetch(request), isOver]);
    return response;
  };
};
