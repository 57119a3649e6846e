import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Post, PostRequest, ReadLimits } from '../runtime/runtime.ts';
import { readHeaders } from './headers.ts';

/** How long a connection is kept without a request. */
const idleMs = 60_000;
/** A proxy would bypass the check of the address. Without `proxyEnv`, Deno uses that of the environment if `NODE_USE_ENV_PROXY` is set. */
const options = { keepAlive: true, timeout: idleMs, proxyEnv: {} };
const httpAgent = new HttpAgent(options);
const httpsAgent = new HttpsAgent(options);

/** @limit Webhooks | Bytes that a receiver sends for one message, on Node.js and Deno | the connection is closed */
const receivedBytesMax = 64 * 1024;

export const post: Post = async (request) => {
  try {
    const response = await responseTo(send(request));
    return {
      status: response.statusCode ?? 0,
      headers: readHeaders(response.rawHeaders),
      readBeginning: (limits) => readBeginning(response, limits),
      close: () => void response.destroy(),
    };
  } catch (error) {
    request.signal.throwIfAborted();
    throw error;
  }
};

const send = ({ url, address, serverName, headers, body, signal, ca }: PostRequest): ClientRequest => {
  const { protocol, host, port, pathname, search } = url;
  const options = {
    method: 'POST',
    host: address,
    ...(port !== '' && { port }),
    path: pathname + search,
    headers: { ...headers, host, accept: '*/*' },
    signal,
  };
  // The name of an address cannot be sent. Without one, the certificate must be for the address.
  const servername = isIP(serverName) === 0 ? serverName : '';
  const tls = { servername, rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
  const request =
    protocol === 'https:'
      ? requestHttps({ ...options, ...tls, agent: httpsAgent })
      : requestHttp({ ...options, agent: httpAgent });
  return request.on('socket', (socket) => limitBytes(request, socket)).end(body);
};

/** Rejects at each end of the request that has no response. An error after the response also ends its body. */
const responseTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    // A switch to another protocol (101) has no other event.
    request.on('close', () => reject(new Error('The request ended without a response.')));
  });

/** Without a stream of the web, which would take as long as the request. */
const readBeginning = (
  response: IncomingMessage,
  { bytesMax, timeoutMs }: ReadLimits,
): Promise<readonly Uint8Array[]> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let lengthBytes = 0;
    const end = (): void => {
      clearTimeout(timer);
      resolve(chunks);
    };
    const cancel = (): void => {
      end();
      response.destroy();
    };
    const timer = setTimeout(cancel, timeoutMs);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      lengthBytes += chunk.length;
      if (lengthBytes > bytesMax) cancel();
    });
    response.on('end', end);
    response.on('error', end);
    response.on('close', end);
  });

/**
 * Closes the connection of a receiver that sends too much. Node limits only some parts of a message, and not informational responses,
 * the empty lines before a response, or the zeros of the size of a chunk.
 */
const limitBytes = (request: ClientRequest, socket: Socket): void => {
  let bytes = 0;
  const count = ({ length }: Buffer): void => {
    bytes += length;
    if (bytes > receivedBytesMax) request.destroy(new Error('The receiver sends too much.'));
  };
  socket.off('data', refuse).on('data', count);
  request.on('close', () => socket.off('data', count).on('data', refuse));
};

/** Closes a connection on which data arrives without a request. Deno would keep it, and the next request would get no response. */
function refuse(this: Socket): void {
  this.destroy();
}
