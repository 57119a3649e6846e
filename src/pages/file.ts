/** A generated file for browsers, packed once for all clients. */
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { etagOf, isKnown } from '../http/conditional.ts';
import { prefersGzip } from '../http/media-type.ts';

export type PageFile = ReturnType<typeof fileOf>;

export const fileOf = (type: string, text: string) => ({
  type,
  text: new Blob([text]),
  packed: new Blob([gzipSync(text, { level: 9 })]),
  version: hash('sha256', text, 'base64url').slice(0, 16),
});

/** Responds with the file, or with 304 if the client has it. */
export const respondFile = ({ type, text, packed, version }: PageFile, request: Request): Response => {
  const validators = { etag: etagOf(version), 'cache-control': 'no-cache', vary: 'Accept-Encoding' };
  const condition = request.headers.get('if-none-match');
  if (condition !== null && isKnown({ 'if-none-match': condition }, version))
    return new Response(null, { status: 304, headers: validators });
  const isPacked = prefersGzip(request.headers);
  return new Response(isPacked ? packed : text, {
    headers: {
      ...validators,
      'content-type': `${type}; charset=utf-8`,
      'x-content-type-options': 'nosniff',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    },
  });
};
