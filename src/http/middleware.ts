/** What happens on every path around the routes: CORS, the Host header, HEAD, OPTIONS and unsupported methods. */
import type { AnyElysia } from 'elysia';
import { AppError, foreignHost, invalidHost, methodNotAllowed } from '../base/app-error.ts';
import { isLoopbackHost, isLoopbackOrigin, loopbackOrigins, withoutBrackets } from '../base/network.ts';
import { toResponse } from './response.ts';

export type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Cross-origin requests (https://fetch.spec.whatwg.org/#http-cors-protocol), for the origins in the configuration. This wraps the
 * whole app, so that a browser can read every response, including errors. Tokens are in a header, so CORS credentials are never allowed.
 *
 * `origins` are in the form that browsers send, or `loopback` for those of pages from this machine, or `*` alone. An empty list turns
 * CORS off. The origin `null`, of a file or a sandboxed frame, is only allowed by `*`.
 */
export const allowOrigins = (origins: readonly string[], fetch: Fetch): Fetch => {
  if (origins.length === 0) return fetch;
  const isOpen = origins.includes('*');
  const allowsLoopback = origins.includes(loopbackOrigins);

  return async (request) => {
    const origin = request.headers.get('origin');
    const isAllowed =
      origin !== null && (isOpen || origins.includes(origin) || (allowsLoopback && isLoopbackOrigin(origin)));
    const response =
      isAllowed && isPreflight(request)
        ? new Response(null, { status: 204, headers: preflight })
        : await fetch(request);
    if (isAllowed) {
      response.headers.set('access-control-allow-origin', isOpen ? '*' : origin);
      response.headers.set('access-control-expose-headers', exposed);
    }
    if (!isOpen) response.headers.append('vary', 'Origin');
    return response;
  };
};

/** A preflight has no token: the browser sends it before the real request. */
const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.has('access-control-request-method');

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, If-Match, If-None-Match, If-Range, Last-Event-ID, Prefer, Range, Traceparent, X-Min-Log-Position, X-Request-Id',
  'access-control-max-age': '7200',
};

/** Clients need these headers, and browsers hide them by default. */
const exposed =
  'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Last-Event-ID, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Log-Position, X-Request-Id, X-Total-Count';

/**
 * Rejects a request unless its Host is a host with an optional port (RFC 9112 §3.2): a proxy in front of this service may have
 * read a different host from it. Two Host headers arrive as one with a comma. Host may be empty, and is optional in HTTP/1.0.
 *
 * With `isLoopback`, the host must be a loopback address or `localhost`. A page of another site is of the same origin as this service if the
 * name of the site resolves to this machine (DNS rebinding), so CORS does not apply to it. A browser always sends Host.
 */
export const checkHost =
  (isLoopback: boolean, fetch: Fetch): Fetch =>
  (request) => {
    const host = request.headers.get('host') ?? '';
    if (host === '') return fetch(request);
    if (!hostForm.test(host)) return toResponse(new AppError(invalidHost));
    const isPermitted = !isLoopback || isLoopbackHost(withoutBrackets(host.replace(/:\d*$/, '')));
    return isPermitted ? fetch(request) : toResponse(new AppError(foreignHost));
  };

/** `uri-host [ ":" port ]` (RFC 3986 §3.2.2), without the comma, which no host has. */
const hostForm = /^(?:\[[0-9a-z:.%~_-]+\]|(?:[a-z0-9._~!$&'()*+;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i;

/**
 * Responds to HEAD as to GET (RFC 9110 §9.3.2). The server sends the headers alone, with the `Content-Length` of the body that
 * it does not read. Elysia's own HEAD would read the whole body, to count it, so Elysia gets GET while it selects the route. Its
 * handlers get HEAD again once they have awaited something.
 */
export const routeHeadAsGet =
  (fetch: Fetch): Fetch =>
  (request) => {
    if (request.method !== 'HEAD') return fetch(request);
    Object.defineProperty(request, 'method', { value: 'GET', configurable: true });
    try {
      return fetch(request);
    } finally {
      Reflect.deleteProperty(request, 'method');
    }
  };

/** Responds to OPTIONS on each path of the app so far, and rejects every unsupported method, both with the exact `Allow`. */
export const rejectOtherMethods = <App extends AnyElysia>(app: App): App => {
  const methodsOf = Map.groupBy(app.routes, ({ path }) => path);
  for (const [path, routes] of methodsOf) {
    const methods = new Set(routes.map(({ method }) => method));
    if (methods.has('ALL')) continue;
    if (methods.has('GET')) methods.add('HEAD');
    const allow = [...methods.add('OPTIONS')].sort().join(', ');
    app.all(path, ({ request }) => {
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
      throw new AppError(methodNotAllowed, { allow });
    });
  }
  return app;
};
