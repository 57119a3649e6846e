/** Counts requests like the metrics: by method, route and status. */
import { operations } from '../../../src/app/app.ts';
import { pathOf } from '../../../src/http/operation.ts';
import type { Send } from '../../support/plant-load.ts';

export interface RequestTally {
  readonly send: Send;
  /** The number of responses by `method route status`. The route is empty for a path that the service does not have. */
  counts(): Readonly<Record<string, number>>;
  /** The total time for which all requests have waited for their responses. */
  waitedSeconds(): number;
}

/** Counts the requests that `send` sends. */
export const createRequestTally = (send: Send): RequestTally => {
  const counts = new Map<string, number>();
  let waitedMs = 0;
  return {
    send: async (method, path, options) => {
      const sentAtMs = performance.now();
      const response = await send(method, path, options);
      waitedMs += performance.now() - sentAtMs;
      const name = `${knownMethods.has(method) ? method : '_OTHER'} ${routeOf(path)} ${response.status}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return response;
    },
    counts: () => Object.fromEntries(counts),
    waitedSeconds: () => waitedMs / 1000,
  };
};

/** The methods of RFC 9110, and PATCH (RFC 5789). */
const knownMethods = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);

const routes = ['/healthz', ...new Set(Object.values(operations).map(pathOf))].map((route) => ({
  route,
  form: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

const routeOf = (path: string): string => {
  const [pathname = ''] = path.split('?');
  return routes.find(({ form }) => form.test(pathname))?.route ?? '';
};
