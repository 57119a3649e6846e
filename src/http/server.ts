/**
 * The HTTP server. It calls the server of the runtime directly. Elysia's `listen` would share the port with a second instance and
 * bypass the app. This way a request runs the same code as in the tests.
 */
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runtime } from '#runtime';
import { codeOf, OperatorError } from '../base/error.ts';
import { createTurnLimit } from '../base/event-loop.ts';
import { hasFreeDescriptor } from '../base/file-system.ts';
import { toUrlHost } from '../base/host.ts';
import { checkMs, repeat } from '../base/repeat.ts';
import { type Log, logFailure } from '../log.ts';
import type { ServeOptions } from '../runtime/runtime.ts';
import { statusOf, toResponse } from './response.ts';

export interface ServerOptions
  extends Pick<ServeOptions, 'host' | 'port' | 'fetch'>,
    Partial<Pick<ServeOptions, 'requestSecondsMax'>> {
  readonly log: Log;
}

/** @limit Requests | Time to receive a request | the connection is closed */
export const requestSecondsMax = 15;

/**
 * The requests that begin in one turn of the event loop; others wait for the next one. Bun reads a connection until it is empty, so
 * a client that does not wait for its responses would keep all others waiting for seconds. Bun closes its connection when a request
 * waits before another one.
 *
 * @limit Processes | Requests that begin in one turn of the event loop | they wait for the next turn
 */
export const requestsPerTurn = 256;

export type Server = Awaited<ReturnType<typeof listen>>;

interface StopOptions {
  /** How long requests are still accepted, so that a load balancer sees that the service is not ready. */
  readonly delayMs?: number;
  /** The time limit of requests in progress after that. */
  readonly graceMs: number;
}

/**
 * Resolves once the port is bound. No request begins before the next turn of the event loop. Rejects with OperatorError if the address
 * is in use or not permitted.
 */
export const listen = async (options: ServerOptions) => {
  const { host } = options;
  const stopping = new AbortController();
  const server = await serve(options, stopping.signal);
  const stopWatching = watchDescriptors(options.log, server.acceptAgain);
  return {
    url: new URL(`http://${toUrlHost(host)}:${server.port}`).origin,
    /** Aborted as soon as a stop begins: the service is no longer ready, and streams end. */
    stopping: stopping.signal,
    peerOf: server.peerOf,
    isPending: server.isPending,
    limitTime: server.limitTime,
    /**
     * Still accepts requests for `delayMs`, and closes the connection of each after its response, so that the client opens the
     * next one to another process. Then accepts no more connections, waits at most `graceMs` for the requests in progress, and
     * closes the remaining connections.
     */
    stop: async ({ delayMs = 0, graceMs }: StopOptions): Promise<void> => {
      stopping.abort();
      await sleep(delayMs);
      // Closing the port resets connections with unread requests. One turn of the event loop reads them.
      await sleep(0);
      // A request with an incomplete header section would block this, hence the deadline.
      await Promise.race([server.finish(), sleep(graceMs, undefined, { ref: false })]);
      await server.close();
      stopWatching();
    },
  };
};

const serve = async (options: ServerOptions, stopping: AbortSignal) => {
  const { host, port, fetch, log } = options;
  const limit = createTurnLimit(requestsPerTurn);
  try {
    return await runtime.serve({
      host,
      port,
      // Not async, since that costs each request 2 µs.
      fetch: (request) => {
        const wait = limit.step();
        const response = wait ? wait.then(() => (request.signal.aborted ? unsent() : fetch(request))) : fetch(request);
        return stopping.aborted ? closeAfter(response) : response;
      },
      requestSecondsMax: options.requestSecondsMax ?? requestSecondsMax,
      onError: (cause) => {
        logFailure(log, cause);
        return toResponse(cause);
      },
    });
  } catch (cause) {
    // The error of the runtime does not name the address, and what it says of an unknown host depends on the resolvers of the system.
    const isKnown = await lookup(host).then(
      () => true,
      () => false,
    );
    const code = codeOf(cause) ?? 'no reason given';
    const reason = isKnown ? (listenFailures[code] ?? code) : 'the host is unknown';
    throw new OperatorError(`Cannot listen on ${host}, port ${port}: ${reason}.`, { cause });
  }
};

/** The response to a request whose client has disconnected while it waited. */
const unsent = (): Response => new Response(null, { status: statusOf('unavailable') });

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use; port 0 picks a free one',
  EADDRNOTAVAIL: 'this machine does not have the address',
  // What Deno says instead.
  EINVAL: 'this machine does not have the address',
  EACCES: 'permission denied; ports below 1024 need privileges',
};

const closeAfter = async (responding: Response | Promise<Response>): Promise<Response> => {
  const response = await responding;
  response.headers.set('connection', 'close');
  return response;
};

/**
 * Logs when the process has no free descriptor. Meanwhile it cannot accept a connection, and Bun tries again in each turn of the event loop
 * without a pause, which takes a whole core. So each turn pauses. Open connections are served. `onFree` is called when there are free
 * descriptors again. Returns a function that ends the watch.
 */
const watchDescriptors = (log: Log, onFree?: () => void): (() => void) => {
  let isFree = true;
  const pause = (): void => {
    if (isFree) return;
    Atomics.wait(pauseBuffer, 0, 0, pauseMs);
    setImmediate(pause);
  };
  const stop = repeat(() => {
    const wasFree = isFree;
    isFree = hasFreeDescriptor();
    if (isFree && !wasFree) onFree?.();
    if (isFree || !wasFree) return;
    log.warn('no free descriptors');
    pause();
  }, checkMs);
  return () => {
    stop();
    isFree = true;
  };
};

const pauseMs = 1;
const pauseBuffer = new Int32Array(new SharedArrayBuffer(4));
