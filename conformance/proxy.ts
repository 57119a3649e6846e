import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { freePort } from '../tests/support/network/port.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface ProxyOptions {
  /** The port of the service. */
  readonly port: number;
  /** Added to each request: an EventSource of a browser cannot send a token. */
  readonly authorization?: string;
  /** The answer to a request for this path instead of that of the service, or `none` to close the connection without a response. */
  readonly answerTo?: (path: string) => Answer | 'none' | undefined;
}

/**
 * Starts a proxy. While the service is down, it closes the connection without a response, as nginx does with `return 444`: an EventSource
 * reconnects then, but not after a 502.
 */
export const startProxy = async ({ port, authorization, answerTo }: ProxyOptions) => {
  const server = createServer((incoming, response) => {
    const { url = '', method, headers, socket } = incoming;
    const answer = answerTo?.(url);
    if (answer === 'none') return void socket.destroy();
    if (answer !== undefined) return void response.writeHead(answer.status, answer.headers).end(answer.body);
    const target = {
      host: '127.0.0.1',
      port,
      path: url,
      method,
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    };
    const forwarded = request(target, (upstream) => {
      response.writeHead(upstream.statusCode ?? 0, upstream.headers);
      upstream.on('error', () => socket.destroy()).pipe(response);
    });
    // Bun sends an empty response with status 200 if only the response is destroyed.
    forwarded.on('error', () => socket.destroy());
    incoming.pipe(forwarded);
    response.on('close', () => forwarded.destroy());
  });
  const own = await freePort();
  server.listen(own, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${own}`,
    /** Ends the responses that have begun, such as live streams. */
    closeConnections: (): void => server.closeAllConnections(),
    [Symbol.dispose]: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
};
