import { AppError, invalidHost } from '../domain/error.ts';
import type { Fetch } from './cors.ts';
import { toResponse } from './problem.ts';

/**
 * Refuses a request with two Host headers, which arrive as one that is joined by a comma, or with one that is not a host and
 * perhaps a port (RFC 9112 §3.2): a proxy before this service may have taken another part of it for the host. It may be empty,
 * and HTTP/1.0 need not have it.
 */
export const refuseInvalidHost =
  (fetch: Fetch): Fetch =>
  (request) => {
    const host = request.headers.get('host') ?? '';
    return host === '' || hostForm.test(host) ? fetch(request) : toResponse(new AppError(invalidHost));
  };

/** `uri-host [ ":" port ]` (RFC 3986 §3.2.2), but for the comma, which no host has. */
const hostForm = /^(?:\[[0-9a-z:.%~_-]+\]|(?:[a-z0-9._~!$&'()*+;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i;
