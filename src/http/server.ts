/**
 * The socket. Bun.serve is used as it is and not through Elysia's `listen`, which would share the port with a second
 * instance and route around the app; so a request meets the same code here as in the tests.
 */
import { OperatorError } from '../base/error.ts';
import type { Log } from '../log.ts';
import { toResponse } from './problem.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly log: Log;
  /** How long a request may take from its first byte to its answer; Bun checks every four seconds. */
  readonly requestSecondsMax?: number;
}

export interface Server {
  readonly url: string;
  /** Takes no more connections, waits until what is in flight is answered, but no longer than this; then closes all. */
  stop(graceMs: number): Promise<void>;
}

/** A request that has not sent all of itself by then is dropped. */
export const requestSecondsMax = 15;

/** Throws OperatorError when the address cannot be had. */
export const listen = ({
  host,
  port,
  fetch,
  log,
  requestSecondsMax: idleTimeout = requestSecondsMax,
}: ServerOptions): Server => {
  const server = orExplain(host, port, () =>
    Bun.serve({
      hostname: host,
      port,
      fetch: (request) => fetch(withOrigin(request)),
      idleTimeout,
      reusePort: false,
      development: false,
      // Past this Bun answers with an empty body. Our own, far lower limit comes first and says why.
      maxRequestBodySize: 1024 ** 3,
      error: (cause) => {
        log.error({ err: cause }, 'defect');
        return toResponse(cause);
      },
    }),
  );
  return {
    url: server.url.origin,
    stop: async (graceMs) => {
      // A half-sent request head would hold this up, hence the deadline.
      await Promise.race([server.stop(), Bun.sleep(graceMs)]);
      await server.stop(true);
    },
  };
};

/**
 * Without a usable Host, which HTTP/1.0 need not have and HTTP/1.1 may leave empty, Bun gives the path alone for a URL. Elysia
 * would take the first segment of it for the host.
 */
const withOrigin = (request: Request): Request =>
  request.url.startsWith('/') ? new Request(`http://localhost${request.url}`, request) : request;

/** Bun's own refusal names neither the address nor what is wrong with it. */
const orExplain = <Result>(host: string, port: number, start: () => Result): Result => {
  try {
    return start();
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    const reason = isTaken ? 'it is in use; port 0 picks a free one' : 'the system refuses it';
    throw new OperatorError(`Cannot listen on ${host}, port ${port}: ${reason}.`, { cause });
  }
};
