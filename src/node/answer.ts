/** The response to a request on Node and Deno. */
import type { IncomingMessage } from 'node:http';
import type { ServeOptions } from '../runtime/runtime.ts';
import type { Exchange } from './connection.ts';
import { IncomingRequest } from './request.ts';
import { bodyOf, type ResponseBody } from './response.ts';

/** Sends the response of `fetch`, or of `onError`. Malformed requests get an empty one, which closes the connection. */
export const answer = ({ fetch, onError }: Pick<ServeOptions, 'fetch' | 'onError'>, exchange: Exchange): void => {
  const { incoming, outgoing } = exchange;
  const fault = faultOf(incoming);
  if (fault !== undefined) return void outgoing.writeHead(fault, { connection: 'close' }).end();
  const respond = async (): Promise<Response> => fetch(new IncomingRequest(exchange));
  respond()
    .catch(onError)
    .then((response) => send(response, exchange))
    // The response has begun. A missing last chunk tells the client that it is incomplete.
    .catch(() => incoming.socket.destroy());
};

/**
 * That of Bun.
 *
 * @limit Requests | Header fields of a request | 431
 */
export const fieldsMax = 198;

/** The status for a request that Node accepts, and that is too large, ambiguous, or not for this server. Undefined for any other. */
const faultOf = ({ httpVersion, url = '', headers, rawHeaders }: IncomingMessage): number | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 505;
  if (rawHeaders.length > 2 * fieldsMax) return 431;
  const coding = headers['transfer-encoding'];
  const isFramed = coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
  return isFramed && (url.startsWith('/') || URL.canParse(url)) ? undefined : 400;
};

const send = (response: Response, exchange: Exchange): Promise<void> | undefined => {
  const { incoming, outgoing, connection } = exchange;
  const body = bodyOf(response);
  const isSent = incoming.socket.writable && incoming.method !== 'HEAD';
  if (body instanceof ReadableStream && !isSent) void body.cancel();
  // The client has disconnected.
  if (!incoming.socket.writable) return undefined;
  const headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  const bytes = lengthOf(body);
  if (bytes !== undefined && !bodiless.includes(response.status)) headers.push('content-length', `${bytes}`);
  connection.moveDeadline();
  outgoing.writeHead(response.status, headers);
  return isSent ? sendBody(body, exchange) : void outgoing.end();
};

const bodiless = [204, 304];

/** In bytes. Undefined for a stream. */
const lengthOf = (body: ResponseBody): number | undefined => {
  if (body === null) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  return body instanceof Blob ? body.size : undefined;
};

const sendBody = (body: ResponseBody, exchange: Exchange): Promise<void> | undefined => {
  if (body instanceof Blob) return sendStream(body.stream(), exchange);
  if (body instanceof ReadableStream) return sendStream(body, exchange);
  const { outgoing } = exchange;
  if (body === null || body.length <= pieceBytes) return void outgoing.end(body);
  return sendBytes(Buffer.from(body), exchange).then(() => void outgoing.end());
};

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

/** In pieces, since each one that the system accepts shows that the client reads. */
const sendBytes = async (bytes: Uint8Array, exchange: Exchange): Promise<void> => {
  for (let at = 0; at < bytes.length; at += pieceBytes) await sendPiece(bytes.subarray(at, at + pieceBytes), exchange);
};

const pieceBytes = 64 * 1024;

const sendPiece = (piece: Uint8Array, { outgoing, connection }: Exchange): Promise<void> =>
  new Promise((resolve, reject) =>
    outgoing.write(piece, (error) => {
      connection.moveDeadline();
      if (error) reject(error);
      else resolve();
    }),
  );
