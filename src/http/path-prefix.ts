/**
 * The prefix that a proxy removes from the paths of requests, such as `/garden`. Links in responses are relative to their request and
 * need no prefix. The document names the server by an absolute path, so it does.
 */
import { createTrustedPeers } from '../base/network.ts';
import type { HttpServer } from '../runtime/runtime.ts';

export type PathPrefix = (request: Request) => string;

/**
 * Returns the prefix in `X-Forwarded-Prefix`, without a slash at its end, if the peer of the request is a trusted proxy. Several proxies may
 * each add one; the first one is the outermost. Empty without the header, and if it is not such a path: an error would make the service
 * unusable behind a proxy that passes on the header of a client.
 */
export const createPathPrefix = (trustedProxies: readonly string[], peerOf: HttpServer['peerOf']): PathPrefix => {
  const isTrusted = createTrustedPeers(trustedProxies);
  return (request) => {
    const prefixes = request.headers.get('x-forwarded-prefix');
    if (prefixes === null || prefixes.length > prefixCharactersMax || !isTrusted(peerOf(request))) return '';
    const prefix = prefixes
      .split(',')
      .map((text) => text.trim().replace(/\/$/, ''))
      .join('');
    return pathForm.test(prefix) ? prefix : '';
  };
};

/** @limit Requests | Characters of `X-Forwarded-Prefix` from a trusted proxy | the header is ignored */
export const prefixCharactersMax = 256;

/**
 * `path-absolute` (RFC 3986 §3.3), without a comma, without the segments `.` and `..`, and without an encoded dot, slash, backslash or control
 * character: clients differ in what they make of these.
 */
const pathForm = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+;=:@-]|%(?!2[ef]|5c|[01]|7f)[\da-f]{2})+)*$/i;
