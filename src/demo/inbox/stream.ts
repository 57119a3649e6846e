/** The changes of the inbox as server-sent events, each one JSON. The first has all messages. */
import { AppError, tooManyStreams } from '../../app-error.ts';
import type { HttpServer } from '../../runtime/runtime.ts';
import type { Messages } from './messages.ts';

/** @limit The inbox | Open pages | 503 */
export const pagesMax = 50;

/** The time between two comments, which find out whether the page is still there. */
const heartbeatMs = 15_000;

/** How long a connection stays open after the end of its stream. */
const idleSeconds = 15;

interface StreamsOptions {
  readonly messages: Messages;
  readonly stopping: AbortSignal;
  readonly limitTime: HttpServer['limitTime'];
}

export const createStreams = ({ messages, stopping, limitTime }: StreamsOptions) => {
  let open = 0;

  const bodyFor = (request: Request): ReadableStream<Uint8Array> => {
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, stopping]);
    let last = 0;
    let seen = -1;
    const end = (): void => {
      if (ended.signal.aborted) return;
      ended.abort();
      open -= 1;
      limitTime(request, idleSeconds);
    };
    return new ReadableStream(
      {
        pull: async (controller) => {
          const hasChanged =
            !signal.aborted && (seen !== messages.version() || (await isChangedWithin(messages, heartbeatMs, signal)));
          if (signal.aborted) {
            end();
            return controller.close();
          }
          seen = messages.version();
          const change = messages.after(last);
          last = Math.max(last, ...change.kept);
          controller.enqueue(encode(hasChanged ? `data: ${JSON.stringify(change)}\n\n` : ':\n\n'));
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  };

  return {
    /** Throws AppError `unavailable` if there are `pagesMax` already. */
    respond: (request: Request): Response => {
      // It has a body without a length, as the stream, which is not read.
      if (request.method === 'HEAD') return new Response(new ReadableStream(), { headers });
      if (open >= pagesMax) throw new AppError(tooManyStreams);
      open += 1;
      limitTime(request, 0);
      return new Response(bodyFor(request), { headers });
    },
  };
};

/** Resolves to false after the time, or when the signal is aborted. Nothing of it stays in memory until then, as with AbortSignal.any. */
const isChangedWithin = (messages: Messages, timeMs: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (hasChanged: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(hasChanged);
    };
    const stop = (): void => end(false);
    const timer = setTimeout(stop, timeMs);
    signal.addEventListener('abort', stop);
    void messages.changed().then(() => end(true));
  });

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  vary: 'accept',
  // A proxy that buffers the response would delay messages.
  'x-accel-buffering': 'no',
};
