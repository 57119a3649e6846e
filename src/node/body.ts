/**
 * The body of a response on Node and Deno. A large one is sent in pieces: each begins when the system has accepted the one before it. So a client
 * that reads nothing takes one piece at most, and none of a body that other responses share. Each piece that the system accepts shows that
 * the client reads.
 */
import type { Exchange } from './connection.ts';
import type { ResponseBody } from './response.ts';

const pieceBytes = 64 * 1024;

/** In bytes. Undefined for a stream. */
export const lengthOf = (body: ResponseBody): number | undefined => {
  if (body === null) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  return body instanceof Blob ? body.size : undefined;
};

/** Undefined if the body is sent at once. Rejects when the connection is closed before its end, or the stream fails. */
export const sendBody = (body: ResponseBody, exchange: Exchange): Promise<void> | undefined => {
  const { outgoing } = exchange;
  if (body instanceof ReadableStream) return sendStream(body, exchange);
  if (body instanceof Blob) return readOnce(body).then((bytes) => sendBody(bytes, exchange));
  if (body === null || body.length <= pieceBytes) return void outgoing.end(body);
  return sendBytes(typeof body === 'string' ? Buffer.from(body) : body, exchange).then(() => void outgoing.end());
};

/** A stream of a blob would copy it for each reader. */
const readOnce = (blob: Blob): Promise<Uint8Array> => {
  const reading = blobs.get(blob) ?? blob.bytes();
  blobs.set(blob, reading);
  reading.catch(() => blobs.delete(blob));
  return reading;
};

const blobs = new WeakMap<Blob, Promise<Uint8Array>>();

/** Asks for the next bytes when the system has accepted the last ones. */
const sendStream = async (body: ReadableStream<Uint8Array>, exchange: Exchange): Promise<void> => {
  const { outgoing } = exchange;
  const reader = body.getReader();
  outgoing.on('close', () => reader.cancel().catch(() => {}));
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    await sendBytes(value, exchange);
  }
  outgoing.end();
};

const sendBytes = async (bytes: Uint8Array, exchange: Exchange): Promise<void> => {
  // Live streams share the object of a small piece, and so its chunk.
  for (let at = 0; at < bytes.length; at += pieceBytes)
    await sendPiece(bytes.length <= pieceBytes ? bytes : bytes.subarray(at, at + pieceBytes), exchange);
};

const sendPiece = (piece: Uint8Array, { incoming, outgoing, connection }: Exchange): Promise<void> =>
  new Promise((resolve, reject) => {
    const onEnd = (error?: Error | null): void => {
      connection.moveDeadline();
      if (error) reject(error);
      else resolve();
    };
    // Node would send the parts of a chunk as four writes in one, which take twice as long.
    if (outgoing.chunkedEncoding) incoming.socket.write(chunkOf(piece), onEnd);
    else outgoing.write(piece, onEnd);
  });

/** A chunk of the chunked transfer coding (RFC 9112 §7.1). Made once for each object. */
const chunkOf = (piece: Uint8Array): Uint8Array => {
  const made = chunks.get(piece);
  if (made) return made;
  const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, lineEnd]);
  chunks.set(piece, chunk);
  return chunk;
};

const chunks = new WeakMap<Uint8Array, Uint8Array>();
const lineEnd = Buffer.from('\r\n');
