/**
 * Answers that wait to be read. A client that reads slowly, or not at all, has the service hold its answer until the
 * connection is dropped; so the large ones are handed out piece by piece, and when too much of them is held, the next one is
 * refused. A small answer is not worth the count: it fits in the buffers of its socket.
 */
import { AppError, tooManyAnswers } from '../domain/error.ts';

export interface Outbox {
  /** An answer with this text. Throws AppError `unavailable` when too many large answers are held. */
  answer(text: string, headers: Readonly<Record<string, string>>): Response;
}

/** From this size on an answer is counted. */
const largeBytes = 64 * 1024;
const pieceBytes = 64 * 1024;

export const createOutbox = (heldBytesMax = 64 * 1024 * 1024): Outbox => {
  let heldBytes = 0;

  /** Counted from its first piece on, since from then on it is surely read to its end or cancelled. */
  const handOut = (bytes: Uint8Array): ReadableStream => {
    let sentBytes = 0;
    const release = (): void => {
      heldBytes -= bytes.length;
    };
    return new ReadableStream(
      {
        pull: (controller) => {
          if (sentBytes === 0) heldBytes += bytes.length;
          controller.enqueue(bytes.subarray(sentBytes, sentBytes + pieceBytes));
          sentBytes += pieceBytes;
          if (sentBytes < bytes.length) return;
          release();
          controller.close();
        },
        cancel: () => {
          if (sentBytes > 0 && sentBytes < bytes.length) release();
        },
      },
      { highWaterMark: 0 },
    );
  };

  return {
    answer: (text, headers) => {
      if (text.length < largeBytes) return new Response(text, { headers });
      const bytes = Buffer.from(text);
      if (heldBytes + bytes.length > heldBytesMax) throw new AppError(tooManyAnswers);
      return new Response(handOut(bytes), { headers });
    },
  };
};
