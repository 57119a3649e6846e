import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { freePort } from '../../tests/support/network/port.ts';

/**
 * Starts a proxy that adds a token to each request, for an EventSource of a browser, which cannot send one. While the service is down, it
 * closes the connection without a response, as nginx does with `return 444`: an EventSource reconnects then, but not after a 502.
 */
export const startTokenProxy = async (port: number, authorization: string) => {
  const server = createServer(({ url, method, headers, socket }, response) => {
    const target = { host: '127.0.0.1', port, path: url, method, headers: { ...headers, authorization } };
    const forwarded = request(target, (upstream) => {
      response.writeHead(upstream.statusCode ?? 0, upstream.headers);
      upstream.on('error', () => socket.destroy()).pipe(response);
    });
    // Bun sends an empty response with status 200 if only the response is destroyed.
    forwarded.on('error', () => socket.destroy()).end();
    response.on('close', () => forwarded.destroy());
  });
  const own = await freePort();
  server.listen(own, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${own}`,
    [Symbol.dispose]: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
};
