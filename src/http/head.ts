import type { Fetch } from './cors.ts';

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
