/**
 * Cross-origin requests (https://fetch.spec.whatwg.org/#http-cors-protocol), for the origins in the configuration. This wraps the
 * whole app, so that a browser can read every response, including errors. Tokens are in a header, so CORS credentials are never allowed.
 */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** `origins` are in the form that browsers send, or `*`. An empty list turns CORS off. */
export const allowOrigins = (origins: readonly string[], fetch: Fetch): Fetch => {
  if (origins.length === 0) return fetch;
  const isOpen = origins.includes('*');

  return async (request) => {
    const origin = request.headers.get('origin');
    const isAllowed = origin !== null && (isOpen || origins.includes(origin));
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
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Prefer, Traceparent, X-Request-Id',
  'access-control-max-age': '7200',
};

/** Clients need these headers, and browsers hide them by default. */
const exposed =
  'Allow, ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
