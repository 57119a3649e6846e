/**
 * One live stream: an endless answer that follows the log. Bun asks for more once the connection has taken what it was given
 * before. So a stream has at most one piece under way, and the rest stays in the log.
 */
import { AppError, expiredCursor } from '../../domain/error.ts';
import { eventIdOf, type PlantEventType } from '../../domain/event.ts';
import type { LiveLog } from './live-log.ts';
import { heartbeatFrame } from './representation.ts';

export interface StreamOptions {
  readonly live: LiveLog;
  /** The sequence of the last event that the client has. */
  readonly after: bigint;
  /** The id of that event. */
  readonly afterId: string;
  /** Only events of this type. */
  readonly type: PlantEventType | undefined;
  /** Called when the client has closed the connection. */
  readonly onGone: () => void;
  /** Called when the log cannot be read: `cursor_expired` if the events that come next were removed. */
  readonly onFailure: (error: unknown) => void;
}

export type Stream = ReturnType<typeof createStream>;

/** How long it waits while the database is away. */
const retryMs = 1000;

export const createStream = ({ live, after, afterId, type, onGone, onFailure }: StreamOptions) => {
  let position = after;
  /** The id of the last event that was passed. */
  let positionId = (): string => afterId;
  let isHeartbeatDue = true;
  let hasEnded = false;
  /** Since when the connection has not taken what it was given, by the monotonic clock. Absent when it waits for more. */
  let givenAtMs: number | undefined = performance.now();
  let close = (): void => {};

  /** Resolves to what comes next, which may be empty, and to `undefined` at the end of the log. */
  const next = async (): Promise<Uint8Array | undefined> => {
    if (isHeartbeatDue) {
      isHeartbeatDue = false;
      return encoder.encode(heartbeatFrame(positionId()));
    }
    const block = live.find(position) ?? (await live.read(position));
    if (!block) return undefined;
    if (block.from > position) throw new AppError(expiredCursor);
    const { bytes, last } = block.take(position, type);
    position = last.sequence;
    positionId = () => eventIdOf(last);
    return bytes;
  };

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    givenAtMs = undefined;
    while (!hasEnded) {
      // Before the look at the log, so that what comes meanwhile is looked for again.
      const arrival = live.arrival();
      const bytes = await next().catch(recover);
      if (bytes?.length && !hasEnded) {
        givenAtMs = performance.now();
        controller.enqueue(bytes);
        return;
      }
      if (!bytes) await arrival;
    }
  };

  const recover = async (error: unknown): Promise<Uint8Array> => {
    if (error instanceof AppError && error.code === 'unavailable') await Bun.sleep(retryMs);
    else onFailure(error);
    return nothing;
  };

  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        close = () => controller.close();
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
    body,
    givenAtMs: (): number | undefined => givenAtMs,
    /** Sends a heartbeat once the connection takes something. */
    sendHeartbeat: (): void => {
      isHeartbeatDue = true;
    },
    /** Ends the answer after what was given to the connection. */
    end: (): void => {
      if (hasEnded) return;
      hasEnded = true;
      close();
    },
  };
};

const nothing = new Uint8Array();
const encoder = new TextEncoder();
