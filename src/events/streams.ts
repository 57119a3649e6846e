/**
 * The live streams of this process. At each heartbeat, every stream gets a comment, and its token is checked again. The stream ends
 * if its client has not read the last piece for too long. A slow or disconnected client takes no more memory than that piece.
 */

import { AppError, tooManyStreams } from '../base/app-error.ts';
import { createTurnLimit } from '../base/event-loop.ts';
import { expectInForce } from '../http/auth.ts';
import { type Log, logFailure } from '../log.ts';
import type { HttpServer } from '../runtime/runtime.ts';
import type { Subscribe } from '../storage/topic.ts';
import type { TokenStore } from '../tokens/store.ts';
import type { PlantEventType } from './event.ts';
import { createLiveLog, findStart, type LiveLog } from './live-log.ts';
import { comment } from './representation.ts';
import type { EventStore } from './store.ts';
import { createStreamBody, type StreamBody } from './stream-body.ts';

/** Why a stream ends: its client has disconnected, does not read, or has no valid token; the service stops; the log cannot be read. */
export type EndReason = 'gone' | 'slow' | 'token' | 'stopping' | 'failed';

export interface StreamsOptions {
  readonly store: { readonly events: EventStore; readonly onNew: Subscribe; readonly tokens: TokenStore };
  readonly log: Log;
  readonly stopping?: AbortSignal | undefined;
  readonly limitTime?: HttpServer['limitTime'] | undefined;
  readonly onEnded?: (reason: EndReason) => void;
  readonly onTokenUse?: ((tokenId: string) => void) | undefined;
  readonly heartbeatMs?: number;
}

export interface StreamRequest {
  readonly request: Request;
  readonly digest: string;
  /** The id of the last event that the client has. If omitted or empty, the stream begins with the next event. */
  readonly after: string | undefined;
  readonly type: PlantEventType | undefined;
}

export type Streams = ReturnType<typeof createStreams>;

/** @limit Requests | Live streams of a process | 503 */
export const streamsMax = 1000;

/** The maximum of pieces that all streams together get in one turn of the event loop: other requests wait a few milliseconds. */
export const piecesPerTurn = 8;

/** The time between two comments, and between two checks of a token. */
export const defaultHeartbeatMs = 15_000;

/** How many heartbeats a client may take to read a piece, and a token may stay unchecked while the database is not available. */
const heartbeatsMax = 2;

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  vary: 'accept',
  // A proxy that buffers the response would delay events.
  'x-accel-buffering': 'no',
};

/** How long a connection stays open after a clean end of its stream, and how long if its client does not read. */
const idleSeconds = 15;
const cutSeconds = 1;

/** A stop does not wait for a connection that has not read a piece for this time. */
const stuckMs = 1000;

interface OpenStream extends Omit<StreamRequest, 'after'> {
  readonly body: StreamBody;
  checkedAtMs: number;
}

export const createStreams = ({
  store,
  log,
  stopping,
  limitTime = () => {},
  onTokenUse,
  onEnded = () => {},
  heartbeatMs = defaultHeartbeatMs,
}: StreamsOptions) => {
  const openStreams = new Set<OpenStream>();
  /** A live log for each type of events that streams ask for, and one for all types. */
  const lives = new Map<PlantEventType | undefined, LiveLog>();
  const limit = createTurnLimit(piecesPerTurn);
  let heartbeats: Timer | undefined;

  const fail = (one: OpenStream, error: unknown): void => {
    const isSlow = error instanceof AppError && error.code === 'cursor_expired';
    if (!isSlow) logFailure(log, error);
    end(one, isSlow ? 'slow' : 'failed');
  };
  const liveOf = (type: PlantEventType | undefined): LiveLog => {
    const onFailure = (error: unknown): void => {
      for (const one of openStreams) if (one.type === type) fail(one, error);
    };
    const live =
      lives.get(type) ?? createLiveLog({ store, types: type && [type], streams: () => openStreams.size, onFailure });
    lives.set(type, live);
    return live;
  };

  const remove = (one: OpenStream, reason: EndReason): void => {
    if (!openStreams.delete(one)) return;
    onEnded(reason);
    if (openStreams.size === 0) clearInterval(heartbeats);
    if (![...openStreams].some(({ type }) => type === one.type)) liveOf(one.type).stop();
  };

  const end = (one: OpenStream, reason: EndReason): void => {
    if (!openStreams.has(one)) return;
    const isStuck = reason === 'slow' || one.body.unreadMs() > stuckMs;
    one.body.end();
    limitTime(one.request, isStuck ? cutSeconds : idleSeconds);
    remove(one, reason);
  };

  const heartbeat = async (): Promise<void> => {
    for (const one of openStreams) {
      one.body.sendHeartbeat();
      if (one.body.unreadMs() > heartbeatsMax * heartbeatMs) end(one, 'slow');
    }
    for (const live of lives.values()) live.wake();
    await Promise.all(
      [...Map.groupBy(openStreams, ({ digest }) => digest)].map(([digest, some]) => checkToken(digest, some)),
    );
  };

  const checkToken = async (digest: string, some: readonly OpenStream[]): Promise<void> => {
    const nowMs = performance.now();
    try {
      const { id } = expectInForce(await store.tokens.findByDigest(digest));
      onTokenUse?.(id);
      for (const one of some) one.checkedAtMs = nowMs;
    } catch (error) {
      if (!(error instanceof AppError)) logFailure(log, error);
      const isUnavailable = error instanceof AppError && error.code === 'unavailable';
      for (const one of some)
        if (!isUnavailable || nowMs - one.checkedAtMs > heartbeatsMax * heartbeatMs) end(one, 'token');
    }
  };

  stopping?.addEventListener('abort', () => {
    for (const one of openStreams) end(one, 'stopping');
  });

  return {
    /**
     * Responds with a stream of the log. Rejects with AppError `invalid_cursor` and `cursor_expired`, and with `unavailable` if
     * there are `streamsMax` already.
     */
    open: async ({ request, digest, after, type }: StreamRequest): Promise<Response> => {
      const { newest, start, id } = await findStart(store.events, after);
      const headers = { ...streamHeaders, 'last-event-id': id };
      // With a body that has no length, as the stream. It is not read.
      if (request.method === 'HEAD') return new Response(new ReadableStream(), { headers });
      // The client resumes at another process.
      if (stopping?.aborted) return new Response(comment, { headers });
      if (openStreams.size >= streamsMax) throw new AppError(tooManyStreams);
      const live = liveOf(type);
      live.start(newest);
      const body = createStreamBody({
        live,
        limit,
        after: start,
        onGone: () => remove(one, 'gone'),
        onFailure: (error) => fail(one, error),
      });
      const one: OpenStream = { body, request, type, digest, checkedAtMs: performance.now() };
      openStreams.add(one);
      if (openStreams.size === 1) heartbeats = setInterval(heartbeat, heartbeatMs);
      limitTime(request, 0);
      return new Response(body.stream, { headers });
    },
    count: () => openStreams.size,
  };
};
