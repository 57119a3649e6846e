import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a proxy that adds a token to each request, for an EventSource of a browser, which cannot send one. While the service is down, it
 * closes the connection without a response, as nginx does with `return 444`: an EventSource reconnects then, but not after a 502.
 */
export const startTokenProxy = async (port: number, authorization: string) => {
  const server = createServer(({ url, method, headers }, response) => {
    const target = { host: '127.0.0.1', port, path: url, method, headers: { ...headers, authorization } };
    const forwarded = request(target, (upstream) => {
      response.writeHead(upstream.statusCode ?? 0, upstream.headers);
      upstream.on('error', () => response.destroy()).pipe(response);
    });
    forwarded.on('error', () => response.destroy()).end();
    response.on('close', () => forwarded.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    [Symbol.dispose]: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
};
