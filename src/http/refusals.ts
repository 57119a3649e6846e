/** The rejections on every path: an invalid Host, and a method that the path does not support. */
import type { AnyElysia } from 'elysia';
import { AppError, invalidHost, methodNotAllowed } from '../domain/error.ts';
import type { Fetch } from './cors.ts';
import { toResponse } from './response.ts';

/**
 * Rejects a request unless its Host is a host with an optional port (RFC 9112 §3.2): a proxy in front of this service may have
 * read a different host from it. Two Host headers arrive as one with a comma. Host may be empty, and is optional in HTTP/1.0.
 */
export const refuseInvalidHost =
  (fetch: Fetch): Fetch =>
  (request) => {
    const host = request.headers.get('host') ?? '';
    return host === '' || hostForm.test(host) ? fetch(request) : toResponse(new AppError(invalidHost));
  };

/** `uri-host [ ":" port ]` (RFC 3986 §3.2.2), without the comma, which no host has. */
const hostForm = /^(?:\[[0-9a-z:.%~_-]+\]|(?:[a-z0-9._~!$&'()*+;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i;

/** Answers OPTIONS on each path of the app so far, and rejects every unsupported method, both with the exact `Allow`. */
export const refuseOtherMethods = <App extends AnyElysia>(app: App): App => {
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
