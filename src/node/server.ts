/**
 * The server of Node, which Deno has as well: `node:http` as a function from Request to Response. (`Deno.serve` costs less, but has no time
 * limits, so a client could hold a connection without end.)
 *
 * Streams of the web would cost more than all the rest of a request. So a request reads its body directly from the connection, and a
 * response remembers a body that was known when it was made.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Serve } from '../runtime/runtime.ts';
import { answer } from './answer.ts';
import { Connection, type Exchange } from './connection.ts';
import { IncomingRequest } from './request.ts';
import { OutgoingResponse } from './response.ts';

/** How long a connection that was accepted just before the end may take to send its first byte. */
const firstByteMs = 250;
/** Node's default. No more connections can wait to be accepted. */
const backlog = 511;
/** Clients that connect again at once would keep the port open. */
const acceptMsMax = 1000;

export const serve: Serve = async (options) => {
  // The app and Elysia make responses of the global class.
  Object.assign(globalThis, { Response: OutgoingResponse });
  const { host, port, requestSecondsMax } = options;
  const connections = new Map<Socket, Connection>();
  // Connection has the time limits. The last one is also in the header Keep-Alive.
  const server = createServer({
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: requestSecondsMax * 1000,
    // Else a request without a body would be a stream that ends by events: a tenth of the cost of the server alone.
    optimizeEmptyRequests: true,
  });
  // By default, Node drops the headers after the first 2,000, and the app could not refuse a request for them.
  server.maxHeadersCount = 0;

  const receive = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    connections.get(incoming.socket)?.add(incoming, outgoing);
  server.on('request', receive);
  // An expectation may be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', receive);
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    connections.get(socket)?.refuse(refusalOf(error));
  });
  const serveOne = (exchange: Exchange): void => answer(options, exchange);
  const onEnd = (): void => {
    if (!server.listening) server.closeIdleConnections();
  };
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted += 1;
    connections.set(socket, new Connection(socket, { limitSeconds: requestSecondsMax, serve: serveOne, onEnd }));
    socket.on('close', () => connections.delete(socket));
  });

  /** Waits for what the system has received. Deno looks for that only when it waits for a timer, and may then run the timer first. */
  const receiveAll = async (): Promise<void> => {
    await sleep(1);
    await sleep(1);
  };
  /** Node accepts one connection in each turn of the event loop, and closing the port resets those that wait. */
  const acceptAll = async (): Promise<void> => {
    const [first, endsAtMs] = [accepted, performance.now() + acceptMsMax];
    let before = -1;
    while (accepted > before && accepted < first + backlog && performance.now() < endsAtMs) {
      before = accepted;
      await receiveAll();
    }
  };
  /** To Node, a connection that has sent nothing is not idle. */
  const closeUnused = (): void => {
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  };
  const timer = setInterval(() => {
    for (const connection of connections.values()) connection.check();
  }, 1000).unref();

  server.listen({ host, port });
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' ? (address?.port ?? port) : port;
  return {
    port: bound,
    peerOf: (request) => (request instanceof IncomingRequest ? request.incoming.socket.remoteAddress : undefined),
    isPending: (request) => request instanceof IncomingRequest && request.connection.isPending(request.incoming),
    limitTime: (request, seconds) => {
      if (!(request instanceof IncomingRequest)) return;
      request.connection.limitTime(request.incoming, seconds === 0 ? Number.POSITIVE_INFINITY : seconds);
    },
    // On Deno, an accept without a free descriptor is the last one, until the port is bound again.
    acceptAgain: () => {
      if (server.listening) server.close().listen({ host, port: bound });
    },
    finish: async () => {
      const closed = once(server, 'close');
      await acceptAll();
      server.close();
      await receiveAll();
      server.closeIdleConnections();
      setTimeout(closeUnused, firstByteMs).unref();
      await closed;
    },
    close: async () => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
    },
  };
};

/** The response to a malformed request. */
const refusalOf = ({ code }: { code?: string }): string => {
  const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`;
};
