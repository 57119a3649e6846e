/**
 * The changes of the inbox as server-sent events, each one JSON. The first has all messages. A page gets the next piece once its connection has
 * accepted the last one, and holds no other.
 */
import { AppError, tooManyStreams } from '../../base/app-error.ts';
import type { HttpServer } from '../../runtime/runtime.ts';
import type { Messages } from './messages.ts';

/** @limit The inbox | Open pages | 503 */
export const pagesMax = 50;

/** The time between two comments, which find out whether the page is still there. */
const heartbeatMs = 15_000;

/** How long a page may take to accept a piece. The servers of the runtimes close its connection up to five seconds later. */
const pieceSeconds = 30;

const pieceBytes = 64 * 1024;

/** How long a connection stays open after the end of its stream. */
const idleSeconds = 15;

interface StreamsOptions {
  readonly messages: Messages;
  readonly stopping: AbortSignal;
  readonly limitTime: HttpServer['limitTime'];
}

export const createInboxStreams = ({ messages, stopping, limitTime }: StreamsOptions) => {
  let open = 0;

  const bodyFor = (request: Request): ReadableStream<Uint8Array> => {
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, stopping]);
    const pieces = changes(messages, signal);
    const end = (): void => {
      if (ended.signal.aborted) return;
      ended.abort();
      open -= 1;
      limitTime(request, idleSeconds);
    };
    return new ReadableStream(
      {
        pull: async (controller) => {
          limitTime(request, 0);
          const { value, done } = await pieces.next();
          if (done) {
            end();
            return controller.close();
          }
          limitTime(request, pieceSeconds);
          controller.enqueue(value);
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

/** The pieces of a stream, until the signal is aborted. */
async function* changes(messages: Messages, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  let last = 0;
  let seen = -1;
  while (!signal.aborted) {
    if (seen === messages.version() && !(await isChangedWithin(messages, heartbeatMs, signal))) {
      if (!signal.aborted) yield comment;
      continue;
    }
    seen = messages.version();
    const newest = messages.newest();
    for (const piece of inPieces(frame(messages.after(last)))) {
      yield piece;
      if (signal.aborted) return;
    }
    last = newest;
  }
}

function* frame(json: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield dataStart;
  yield* json;
  yield dataEnd;
}

/** Joins small parts, and divides large ones. */
function* inPieces(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let piece: Uint8Array[] = [];
  let room = pieceBytes;
  for (const part of parts) {
    let at = 0;
    while (at < part.length) {
      const fitting = part.subarray(at, at + room);
      piece.push(fitting);
      at += fitting.length;
      room -= fitting.length;
      if (room > 0) continue;
      yield Buffer.concat(piece);
      piece = [];
      room = pieceBytes;
    }
  }
  if (piece.length > 0) yield Buffer.concat(piece);
}

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

const comment = Buffer.from(':\n\n');
const dataStart = Buffer.from('data: ');
const dataEnd = Buffer.from('\n\n');

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  vary: 'accept',
  // A proxy that buffers the response would delay messages.
  'x-accel-buffering': 'no',
};
