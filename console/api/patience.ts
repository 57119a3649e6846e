/** Waits as long as the service asks for with 429, which has started nothing, and then repeats the request. All requests of the page wait. */

type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface PatienceOptions {
  readonly send: Send;
  readonly pause: (timeMs: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly nowMs: () => number;
  /** Gets the time until which the requests wait. */
  readonly onWait: (untilMs: number) => void;
}

/** A longer wait is for the user to decide. */
export const waitMsMax = 60_000;

export const createPatience = ({ send, pause, nowMs, onWait }: PatienceOptions): Send => {
  let readyAtMs = 0;
  return async (input, init) => {
    for (;;) {
      while (readyAtMs > nowMs() && !init?.signal?.aborted) await pause(readyAtMs - nowMs(), init?.signal ?? undefined);
      init?.signal?.throwIfAborted();
      const response = await send(input, init);
      const waitMs = Number(response.headers.get('retry-after') ?? 1) * 1000;
      if (response.status !== 429 || !(waitMs <= waitMsMax)) return response;
      await response.body?.cancel();
      readyAtMs = Math.max(readyAtMs, nowMs() + waitMs);
      onWait(readyAtMs);
    }
  };
};
