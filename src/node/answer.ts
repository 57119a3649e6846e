/** The response to a request on Node and Deno. */
import type { IncomingMessage } from 'node:http';
import type { ServeOptions } from '../runtime/runtime.ts';
import { lengthOf, sendBody } from './body.ts';
import type { Exchange } from './connection.ts';
import { IncomingRequest } from './request.ts';
import { bodyOf } from './response.ts';

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
const fieldsMax = 198;

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
  const hasLength = bodiless.includes(response.status) || response.headers.has('content-length');
  if (bytes !== undefined && !hasLength) headers.push('content-length', `${bytes}`);
  connection.moveDeadline();
  outgoing.writeHead(response.status, headers);
  return isSent ? sendBody(body, exchange) : void outgoing.end();
};

const bodiless = [204, 304];
