/**
 * Responses that clients have not read yet. The service keeps a response in memory until its client has read it or has
 * disconnected. So it sends large responses in pieces, and rejects further ones when they take too much memory. A small response
 * is not counted: it fits into the buffers of its socket.
 */
import { AppError, tooManyAnswers } from '../domain/error.ts';

/** Responses of at least this size are counted. */
const largeBytes = 64 * 1024;
const pieceBytes = 64 * 1024;

/** @limit Requests | Responses of 64 KiB and more that clients have not read yet, in total | 503 */
const defaultHeldBytesMax = 64 * 1024 * 1024;

export const createOutbox = (heldBytesMax = defaultHeldBytesMax) => {
  let heldBytes = 0;

  /** Begins when the first piece is read: after that the response is always read to its end, or cancelled. */
  async function* handOut(bytes: Uint8Array) {
    heldBytes += bytes.length;
    try {
      for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
    } finally {
      heldBytes -= bytes.length;
    }
  }

  /** A response with this body. Throws AppError `unavailable` if large responses take too much memory. */
  return (bytes: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>): Response => {
    if (bytes.length < largeBytes) return new Response(bytes, { headers });
    if (heldBytes + bytes.length > heldBytesMax) throw new AppError(tooManyAnswers);
    return new Response(handOut(bytes), { headers });
  };
};
