/**
 * Answers that wait to be read. The service keeps an answer in memory until its client has read it or has gone. So it sends
 * large answers piece by piece, and refuses the next one when they take too much memory. A small answer is not counted: it
 * fits into the buffers of its socket.
 */
import { AppError, tooManyAnswers } from '../domain/error.ts';

/** From this size on an answer is counted. */
const largeBytes = 64 * 1024;
const pieceBytes = 64 * 1024;

/** @limit Requests | Responses of 64 KiB and more that clients have not read yet, in sum | 503 */
const defaultHeldBytesMax = 64 * 1024 * 1024;

export const createOutbox = (heldBytesMax = defaultHeldBytesMax) => {
  let heldBytes = 0;

  /** Begins when the first piece is read: from then on the answer is surely read to its end, or cancelled. */
  async function* handOut(bytes: Uint8Array) {
    heldBytes += bytes.length;
    try {
      for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
    } finally {
      heldBytes -= bytes.length;
    }
  }

  /** An answer with this text. Throws AppError `unavailable` when large answers take too much memory. */
  return (text: string, headers: Readonly<Record<string, string>>): Response => {
    if (text.length < largeBytes) return new Response(text, { headers });
    const bytes = Buffer.from(text);
    if (heldBytes + bytes.length > heldBytesMax) throw new AppError(tooManyAnswers);
    return new Response(handOut(bytes), { headers });
  };
};
