/**
 * The socket. Bun.serve is called directly. Elysia's `listen` would share the port with a second instance and route around the
 * app; this way a request meets the same code here as in the tests.
 */
import { codeOf, OperatorError } from '../base/error.ts';
import type { Log } from '../log.ts';
import { toResponse } from './response.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly log: Log;
  /** How long a request may take from its first byte to its answer; Bun checks every four seconds. */
  readonly requestSecondsMax?: number;
}

export type Server = ReturnType<typeof listen>;

interface StopOptions {
  /** How long requests are still taken, so that a load balancer sees that the service is not ready. */
  readonly delayMs?: number;
  /** How long after that the requests in flight may take. */
  readonly graceMs: number;
}

/** Throws OperatorError when the address is in use or not permitted. */
export const listen = (options: ServerOptions) => {
  const stopping = new AbortController();
  const server = serve(options, stopping.signal);
  return {
    url: server.url.origin,
    /** Aborted as soon as a stop begins: the service is not ready any more, and a stream ends. */
    stopping: stopping.signal,
    /** The address that a request came from. Absent for a request without a Host, which is a copy of the one that came. */
    peerOf: (request: Request): string | undefined => server.requestIP(request)?.address,
    /** Sets how many seconds a request may take from now on, instead of `requestSecondsMax`; 0 for any time. */
    limitTime: (request: Request, seconds: number): void => server.timeout(request, seconds),
    /**
     * Still takes requests for `delayMs`, and closes the connection of each after its answer, so that the client opens the next
     * one elsewhere. Then takes no more connections, waits at most `graceMs` for the requests in flight, and closes the rest.
     */
    stop: async ({ delayMs = 0, graceMs }: StopOptions): Promise<void> => {
      stopping.abort();
      await Bun.sleep(delayMs);
      // Closing the port resets what has arrived and is not read yet. One turn of the event loop reads it.
      await Bun.sleep(0);
      // A half-sent request head would block this, hence the deadline.
      await Promise.race([server.stop(), Bun.sleep(graceMs)]);
      await server.stop(true);
    },
  };
};

const serve = ({ host, port, fetch, log, requestSecondsMax = 15 }: ServerOptions, stopping: AbortSignal) => {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Not async, which would cost each request 2 µs.
      fetch: (request) => {
        const response = fetch(withOrigin(request));
        return stopping.aborted ? closeAfter(response) : response;
      },
      idleTimeout: requestSecondsMax,
      reusePort: false,
      development: false,
      // Past this Bun answers with an empty body. Our own, far lower limit comes first and says why.
      maxRequestBodySize: 1024 ** 3,
      error: (cause) => {
        log.error({ err: cause }, 'defect');
        return toResponse(cause);
      },
    });
  } catch (cause) {
    // Bun's own error does not name the address.
    const reason = listenFailures[codeOf(cause) ?? ''] ?? 'the host is unknown';
    throw new OperatorError(`Cannot listen on ${host}, port ${port}: ${reason}.`, { cause });
  }
};

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use; port 0 picks a free one',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'permission denied; ports below 1024 need privileges',
};

/** Lets the connection end with this answer. */
const closeAfter = async (answer: Response | Promise<Response>): Promise<Response> => {
  const response = await answer;
  response.headers.set('connection', 'close');
  return response;
};

/** Without a Host (HTTP/1.0), Bun gives a path for the URL. Elysia would take its first segment for the host. */
const withOrigin = (request: Request): Request =>
  request.url.startsWith('/') ? new Request(`http://localhost${request.url}`, request) : request;
