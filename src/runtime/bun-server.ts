import type { Serve } from './runtime.ts';

export const serve: Serve = async ({ host, port, fetch, onError, requestSecondsMax }) => {
  const server = Bun.serve({
    hostname: host,
    port,
    // Not async, since that costs each request 2 µs.
    fetch: (request) => fetch(withOrigin(request)),
    error: onError,
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
    limitTime: (request, seconds) => server.timeout(request, seconds),
    finish: () => server.stop(),
    close: () => server.stop(true),
  };
};

/** Without a Host (HTTP/1.0), the URL from Bun is only a path. Elysia would read its first segment as the host. */
const withOrigin = (request: Request): Request =>
  request.url.startsWith('/') ? new Request(`http://localhost${request.url}`, request) : request;
