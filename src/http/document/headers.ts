/** The headers of answers, as the document shares them. */

export const headers = {
  'Cache-Control': { description: 'Not to be kept.', required: true, schema: { type: 'string', const: 'no-store' } },
  Connection: {
    description: 'The connection ends with this answer.',
    required: true,
    schema: { type: 'string', const: 'close' },
  },
  ETag: {
    description: 'The version of the plant, as a strong entity tag.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9A-Za-z_-]{16}"$' },
  },
  Link: {
    description: 'The next page (RFC 8288), relative to this one; absent on the last page.',
    required: false,
    schema: { type: 'string', pattern: '^</[^>]+>; rel="next"$' },
  },
  Location: {
    description: 'The path of what was created.',
    required: true,
    schema: { type: 'string', format: 'uri-reference', pattern: '^/(plants/-?[0-9]+|webhooks/wh_[0-9A-Za-z]+)$' },
  },
  'Retry-After': {
    description: 'Seconds to wait; absent when the outcome is unknown.',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'A challenge by RFC 6750: nothing more than the realm where there is no token, the error otherwise.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer realm="plant-store"(, error="[a-z_]+"(, scope="[a-z:]+")?)?$' },
  },
};

export type HeaderName = keyof typeof headers;

export const isHeaderName = (name: string): name is HeaderName => name in headers;

/** The headers of an answer, by reference. */
export const headersOf = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
