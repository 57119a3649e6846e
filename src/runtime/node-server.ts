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
import { IncomingRequest } from './node-request.ts';
import { bodyOf, OutgoingResponse, type ResponseBody } from './node-response.ts';
import type { Serve, ServeOptions } from './runtime.ts';

const checkMs = 1000;
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
  const limitMs = requestSecondsMax * 1000;
  const deadlines = new Map<IncomingMessage, number>();
  const sockets = new Set<Socket>();
  const server = createServer({
    requestTimeout: limitMs,
    headersTimeout: limitMs,
    keepAliveTimeout: limitMs,
    connectionsCheckingInterval: checkMs,
  });
  // By default, Node drops the headers after the first 2,000, and the app could not refuse a request for them.
  server.maxHeadersCount = 0;

  const receive = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    deadlines.set(incoming, performance.now() + limitMs);
    outgoing.on('close', () => {
      deadlines.delete(incoming);
      if (!server.listening) server.closeIdleConnections();
    });
    answer(options, incoming, outgoing);
  };
  server.on('request', receive);
  // An expectation may be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', receive);
  server.on('clientError', refuse);
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  /** Waits for what the system has received. Deno looks for that only when it waits for a timer, and may then run the timer first. */
  const receiveAll = async (): Promise<void> => {
    await sleep(1);
    await sleep(1);
  };
  /** Node accepts one connection in each turn of the event loop, and closing the port resets those that wait. */
  const acceptAll = async (): Promise<void> => {
    const [first, endsAtMs] = [accepted, performance.now() + acceptMsMax];
    for (let before = -1; accepted > before && accepted < first + backlog && performance.now() < endsAtMs; ) {
      before = accepted;
      await receiveAll();
    }
  };
  /** To Node, a connection that has sent nothing is not idle. */
  const closeUnused = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const [{ socket }, deadlineMs] of deadlines) if (deadlineMs < nowMs) socket.destroy();
  }, checkMs).unref();

  server.listen({ host, port });
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' ? (address?.port ?? port) : port;
  return {
    port: bound,
    peerOf: (request) => (request instanceof IncomingRequest ? request.incoming.socket.remoteAddress : undefined),
    limitTime: (request, seconds) => {
      const afterMs = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000;
      if (request instanceof IncomingRequest) deadlines.set(request.incoming, performance.now() + afterMs);
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

const answer = (
  { fetch, onError }: Pick<ServeOptions, 'fetch' | 'onError'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void => {
  const fault = faultOf(incoming);
  if (fault !== undefined) return void outgoing.writeHead(fault, { connection: 'close' }).end();
  const respond = async (): Promise<Response> => fetch(new IncomingRequest(incoming));
  respond()
    .catch(onError)
    .then((response) => send(response, incoming, outgoing))
    // The response has begun. A missing last chunk tells the client that it is incomplete.
    .catch(() => incoming.socket.destroy());
};

/** The status for a request that Node accepts, and that is ambiguous, or not for this server. Absent for any other. */
const faultOf = ({ httpVersion, url = '', headers }: IncomingMessage): number | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 505;
  const isFramed = httpVersion === '1.1' || headers['transfer-encoding'] === undefined;
  return isFramed && (url.startsWith('/') || URL.canParse(url)) ? undefined : 400;
};

const send = (response: Response, { method }: IncomingMessage, outgoing: ServerResponse): Promise<void> | undefined => {
  const body = bodyOf(response);
  const headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  const bytes = lengthOf(body);
  if (bytes !== undefined && !bodiless.includes(response.status)) headers.push('content-length', `${bytes}`);
  outgoing.writeHead(response.status, headers);
  const stream = body instanceof Blob ? body.stream() : body;
  if (!(stream instanceof ReadableStream)) return void outgoing.end(stream);
  if (method !== 'HEAD') return sendStream(stream, outgoing);
  void stream.cancel();
  outgoing.end();
  return undefined;
};

const bodiless = [204, 304];

/** In bytes. Undefined for a stream. */
const lengthOf = (body: ResponseBody): number | undefined => {
  if (body === null) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  return body instanceof Blob ? body.size : undefined;
};

/** Asks for the next piece when the system has accepted the last one. */
const sendStream = async (body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> => {
  const reader = body.getReader();
  outgoing.on('close', () => reader.cancel().catch(() => {}));
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    await new Promise((resolve) => outgoing.write(value, resolve));
  }
  outgoing.end();
};

/** Closes the connection of a malformed request with an empty response, and of a slow one without a response. */
const refuse = (error: Error & { code?: string }, socket: Socket): void => {
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (isSlow || !socket.writable || socket.bytesWritten > 0) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
};
