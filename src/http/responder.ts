/**
 * Makes responses, and limits those that clients have not read yet. The service keeps a response in memory until its client has read
 * it or has disconnected. So it sends large responses in pieces, and rejects further ones when they take too much memory. They count from
 * their first part, since many can be made at the same time. A small response is not counted: it fits into the buffers of its socket.
 */
import { AppError, tooManyUnread } from '../base/app-error.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Responses of at least this size are counted. */
const largeBytes = 64 * 1024;
const pieceBytes = 64 * 1024;

/** @limit Requests | Large responses (64 KiB and more) that wait for slow clients, in total | 503 */
const defaultHeldBytesMax = 64 * 1024 * 1024;

/** The parts of a response that is being made. */
export interface Parts {
  /** Counts a part until `end`. Throws AppError `unavailable` if the response is large, and large responses take too much memory. */
  count(part: { readonly length: number }): void;
  /** Must be called before the response is made of them. */
  end(): void;
}

export const createResponder = (heldBytesMax = defaultHeldBytesMax) => {
  let heldBytes = 0;
  /** Those that were sent whole, until it is known that the system has accepted them. */
  const whole = new Set<{ readonly bytes: number; readonly isPending: () => boolean }>();

  const settle = (): void => {
    for (const response of whole)
      if (!response.isPending()) {
        whole.delete(response);
        heldBytes -= response.bytes;
      }
  };

  const expectRoom = (bytes: number): void => {
    if (heldBytes + bytes > heldBytesMax) settle();
    if (heldBytes + bytes > heldBytesMax) throw new AppError(tooManyUnread);
  };

  /** The bytes count from now to the end of the body. Nobody reads that of HEAD, or for a client that has disconnected: the next turn ends it. */
  const handOut = (parts: readonly Bytes[], bytes: number) => {
    let [hasBegun, isCounted] = [false, false];
    const count = (counts: boolean): void => {
      if (counts !== isCounted) heldBytes += counts ? bytes : -bytes;
      isCounted = counts;
    };
    const pieces = async function* () {
      hasBegun = true;
      count(true);
      // It is now read to its end, or cancelled.
      try {
        yield* piecesOf(parts);
      } finally {
        count(false);
      }
    };
    count(true);
    setImmediate(() => count(hasBegun && isCounted));
    return pieces();
  };

  return {
    beginParts: (): Parts => {
      let bytes = 0;
      return {
        count: ({ length }) => {
          bytes += length;
          heldBytes += length;
          if (bytes >= largeBytes) expectRoom(0);
        },
        end: () => {
          heldBytes -= bytes;
        },
      };
    },
    /** A response whose body is these parts. Throws AppError `unavailable` if large responses take too much memory. */
    respond: (parts: readonly Bytes[], headers: Readonly<Record<string, string>>, status = 200): Response => {
      const bytes = parts.reduce((sum, { length }) => sum + length, 0);
      if (bytes < largeBytes) return new Response(join(parts), { status, headers });
      expectRoom(bytes);
      return new Response(handOut(parts, bytes), { status, headers });
    },
    /**
     * A response whose body is sent whole, so that it has `Content-Length` on Bun too. A large one counts until `isPending` returns false, which
     * is only asked when there is no more room. Throws as `respond`.
     */
    respondWhole: (body: Bytes, headers: Readonly<Record<string, string>>, isPending: () => boolean, status = 200) => {
      if (body.length >= largeBytes) {
        expectRoom(body.length);
        heldBytes += body.length;
        whole.add({ bytes: body.length, isPending });
      }
      return new Response(body, { status, headers });
    },
  };
};

/** The parts in pieces of at most `pieceBytes`. Small parts become one piece, since each piece has its cost. */
function* piecesOf(parts: readonly Bytes[]) {
  let piece: Bytes[] = [];
  let bytes = 0;
  for (const part of parts)
    for (let start = 0; start < part.length; start += pieceBytes) {
      const next = part.subarray(start, start + pieceBytes);
      if (bytes + next.length > pieceBytes) {
        yield join(piece);
        piece = [];
        bytes = 0;
      }
      piece.push(next);
      bytes += next.length;
    }
  yield join(piece);
}

const join = (parts: readonly Bytes[]): Bytes => {
  const [first] = parts;
  return parts.length === 1 && first ? first : Buffer.concat(parts);
};

/** One for all responses, since they share the memory. */
export const { beginParts, respond, respondWhole } = createResponder();
