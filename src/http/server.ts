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

/** Throws OperatorError when the address is in use or not permitted. */
export const listen = (options: ServerOptions) => {
  const server = serve(options);
  return {
    url: server.url.origin,
    /** Takes no more connections, waits at most `graceMs` for the requests in flight, then closes all connections. */
    stop: async (graceMs: number): Promise<void> => {
      // A half-sent request head would block this, hence the deadline.
      await Promise.race([server.stop(), Bun.sleep(graceMs)]);
      await server.stop(true);
    },
  };
};

const serve = ({ host, port, fetch, log, requestSecondsMax = 15 }: ServerOptions) => {
  try {
    return Bun.serve({
      hostname: host,
      port,
      fetch: (request) => fetch(withOrigin(request)),
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
    // Bun's own error names neither the address nor what is wrong with it.
    const reason = codeOf(cause) === 'EADDRINUSE' ? 'it is in use; port 0 picks a free one' : 'the system refuses it';
    throw new OperatorError(`Cannot listen on ${host}, port ${port}: ${reason}.`, { cause });
  }
};

/** Without a Host (HTTP/1.0), Bun gives a path for the URL. Elysia would take its first segment for the host. */
const withOrigin = (request: Request): Request =>
  request.url.startsWith('/') ? new Request(`http://localhost${request.url}`, request) : request;
