/**
 * The body of one live stream, which follows the log and has no end. Bun asks for the next piece once the connection has accepted
 * the previous one. So a stream has at most one piece in memory, and the rest stays in the log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, expiredCursor } from '../base/app-error.ts';
import type { TurnLimit } from '../base/event-loop.ts';
import type { LiveLog } from './live-log.ts';
import { comment } from './representation.ts';

interface StreamBodyOptions {
  readonly live: LiveLog;
  /** Of the pieces of all streams. */
  readonly limit: TurnLimit;
  /** The sequence of the last event that the client has. */
  readonly after: bigint;
  /** Called when the client has closed the connection. */
  readonly onGone: () => void;
  /** Called when the log cannot be read: `cursor_expired` if the next events were removed. */
  readonly onFailure: (error: unknown) => void;
}

export type StreamBody = ReturnType<typeof createStreamBody>;

/** The time between two reads while the database is not available. */
const retryMs = 1000;

export const createStreamBody = ({ live, limit, after, onGone, onFailure }: StreamBodyOptions) => {
  let position = after;
  let isHeartbeatDue = true;
  let hasEnded = false;
  /** When the last piece was given to the connection, by the monotonic clock. Undefined once the connection asks for the next one. */
  let givenAtMs: number | undefined = performance.now();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** Resolves to the next piece, which may be empty, and to `undefined` at the end of the log. */
  const next = async (): Promise<Uint8Array | undefined> => {
    if (isHeartbeatDue) {
      isHeartbeatDue = false;
      return comment;
    }
    const block = live.find(position) ?? (await live.read(position));
    if (!block) return undefined;
    if (block.from > position) throw new AppError(expiredCursor);
    const { bytes, last } = block.take(position);
    position = last.sequence;
    return bytes;
  };

  const pull = async (): Promise<void> => {
    givenAtMs = undefined;
    while (!hasEnded) {
      await limit.step();
      // Before the read of the log, so that an event that is written during the read causes another read.
      const arrival = live.arrival();
      const bytes = await next().catch(recover);
      if (bytes?.length && !hasEnded) {
        givenAtMs = performance.now();
        controller?.enqueue(bytes);
        return;
      }
      if (!bytes) await arrival;
    }
  };

  const recover = async (error: unknown): Promise<Uint8Array> => {
    if (error instanceof AppError && error.code === 'unavailable') await sleep(retryMs);
    else onFailure(error);
    return nothing;
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (own) => {
        controller = own;
      },
      pull,
      cancel: () => {
        hasEnded = true;
        onGone();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    /** How long the connection has not accepted the last piece. */
    unreadMs: (): number => (givenAtMs === undefined ? 0 : performance.now() - givenAtMs),
    sendHeartbeat: (): void => {
      isHeartbeatDue = true;
    },
    /** Ends the response after the last piece that was given to the connection. */
    end: (): void => {
      if (hasEnded) return;
      hasEnded = true;
      controller?.close();
    },
  };
};

const nothing = new Uint8Array();
