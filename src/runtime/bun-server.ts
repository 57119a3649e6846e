import type { Serve } from './runtime.ts';

export const serve: Serve = async ({ host, port, fetch, onError, requestSecondsMax }) => {
  const server = Bun.serve({
    hostname: host,
    port,
    // Not async, since that costs each request 2 µs.
    fetch: (request) => {
      const response = fetch(withOrigin(request));
      return request.method === 'HEAD' ? Promise.resolve(response).then(withDate) : response;
    },
    error: (cause) => withDate(onError(cause)),
    // Bun checks it every four seconds.
    idleTimeout: requestSecondsMax,
    // Otherwise a second instance would share the port.
    reusePort: false,
    development: false,
    // Beyond this limit Bun responds with an empty body. The limit of the service is far lower, and its response has a reason.
    maxRequestBodySize: 1024 ** 3,
  });
  return {
    port: server.port ?? port,
    peerOf: (request) => server.requestIP(request)?.address,
    // Bun knows the peer until the response is complete, or the client has disconnected.
    isPending: (request) => server.requestIP(request) !== null,
    limitTime: (request, seconds) => server.timeout(request, seconds),
    finish: () => server.stop(),
    close: () => server.stop(true),
  };
};

/**
 * Without a Host (HTTP/1.0), the URL from Bun is only a path. Elysia would read its first segment as the host. The request is not copied,
 * since Bun knows the peer and the time limit only of its own.
 */
const withOrigin = (request: Request): Request =>
  request.url.startsWith('/')
    ? Object.defineProperty(request, 'url', { value: `http://localhost${request.url}` })
    : request;

/** Bun adds `Date` to a response to any method but HEAD (RFC 9110 §6.6.1). */
const withDate = (response: Response): Response => {
  response.headers.set('date', new Date().toUTCString());
  return response;
};
