/** A mock that is a function, as a server. */
import type { RunningMock } from '../../measure/abilities/respond.ts';

export const serveMock = (fetch: (request: Request) => Response | Promise<Response>): RunningMock => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) };
};
