import { once } from 'node:events';
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { readHeaders } from './node-headers.ts';
import type { Post, PostRequest } from './runtime.ts';

/** How long a connection is kept without a request. */
const idleMs = 60_000;
/** A proxy would bypass the check of the address. Without `proxyEnv`, Deno uses that of the environment if `NODE_USE_ENV_PROXY` is set. */
const options = { keepAlive: true, timeout: idleMs, proxyEnv: {} };
const httpAgent = new HttpAgent(options);
const httpsAgent = new HttpsAgent(options);

export const post: Post = async (request) => {
  try {
    const [response] = (await once(send(request), 'response')) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      headers: readHeaders(response.rawHeaders),
      body: Readable.toWeb(response),
    };
  } catch (error) {
    request.signal.throwIfAborted();
    throw error;
  }
};

const send = ({ url, address, serverName, headers, body, signal, ca }: PostRequest): ClientRequest => {
  const { protocol, host, port, pathname, search } = new URL(url);
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
  // An error after the response ends its body as well.
  return request.on('error', () => {}).end(body);
};
