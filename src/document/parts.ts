/** The parts of the document that operations share, and what refers to them. */
import { isDeepStrictEqual } from 'node:util';
import { copyExactly } from '../base/int64.ts';
import { DeliveryPath } from '../deliveries/schemas.ts';
import { EventId } from '../events/schemas.ts';
import type { HeaderName, Success } from '../http/operation.ts';
import { countParameter, limitOf } from '../http/paging.ts';
import { type Examples, type TObject, type TSchema, t, toJsonSchema, toSubschema } from '../http/schema.ts';
import { IfMatch } from '../plants/conditions.ts';
import { PlantPath } from '../plants/schemas.ts';
import { MessageHeaders } from '../webhooks/message-headers.ts';

/** A body, in JSON or in other media types. */
export const contentOf = (schema: TSchema, examples?: Examples, mediaTypes: readonly string[] = ['application/json']) =>
  Object.fromEntries(mediaTypes.map((name) => [name, { schema: toSubschema(schema), ...shown(examples) }]));

/** JSON has no bytes. */
const shown = (examples: Examples = {}) => {
  const texts = Object.entries(examples).filter(([, { value }]) => !(value instanceof Uint8Array));
  return texts.length > 0 && { examples: copyExactly(Object.fromEntries(texts)) };
};

export const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

const required = (description: string, schema: object) => ({ description, required: true, schema });
const optional = (description: string, schema: object) => ({ description, schema });

/** A value of `Cache-Control` that has a component of its own. */
const revalidated = 'private, no-cache';

export const headers = {
  'Accept-Ranges': required('Whether `Range` can select a part: of the bytes, but not of the JSON.', {
    type: 'string',
    enum: ['bytes', 'none'],
  }),
  'Cache-Control': required('Do not cache.', { type: 'string', const: 'no-store' }),
  'Cache-Control-Revalidated': required('Only a browser may cache, and asks each time whether it has changed.', {
    type: 'string',
    const: revalidated,
  }),
  Connection: required('The service closes the connection after this response.', { type: 'string', const: 'close' }),
  'Content-Disposition': required('A name for the file. The picture is shown, and not downloaded.', {
    type: 'string',
    pattern: '^inline; filename="plant-?[0-9]+[.](png|jpg|webp|json)"$',
  }),
  'Content-Length': optional(
    'The size of the body in bytes. On Bun, it is omitted for a body of 64 KiB and more: `HEAD` and `Content-Range` have the size.',
    { type: 'integer', minimum: 1 },
  ),
  'Content-Range': required('The part of the picture, in bytes from 0, and its size; or only its size.', {
    type: 'string',
    pattern: '^bytes ([0-9]+-[0-9]+|[*])/[0-9]+$',
  }),
  'Content-Security-Policy': required('Nothing in the picture may run or load anything.', {
    type: 'string',
    const: "default-src 'none'; sandbox",
  }),
  ETag: required('The version of the plant or the picture, as a strong entity tag.', {
    type: 'string',
    pattern: '^"[0-9A-Za-z_-]{16}"$',
  }),
  'Last-Event-ID': optional(
    'The id after which the stream begins. It is a valid `after`. Only on a stream.',
    toSubschema(EventId),
  ),
  Link: optional('Link to the next page (RFC 8288), relative to the URL of the request. Omitted on the last page.', {
    type: 'string',
    pattern: '^<\\?[^>]+>; rel="next"$',
  }),
  Location: required('Reference to the new resource, relative to the URL of the request.', {
    type: 'string',
    format: 'uri-reference',
    pattern: '^(plants/-?[0-9]+|webhooks/wh_[0-9A-Za-z]+)$',
  }),
  RateLimit: optional(
    'Remaining requests, `r`, and the seconds over which to spread them, `t`. If no request remains, `t` is the time until the next one is permitted. See draft-ietf-httpapi-ratelimit-headers-11.',
    { type: 'string', pattern: '^"(token|address)";r=[0-9]+;t=[1-9][0-9]*$' },
  ),
  'RateLimit-Policy': optional(
    'The rate limit: a bucket of `q` requests, which refills steadily over `w` seconds. Failed authentications from one address have a bucket too.',
    { type: 'string', pattern: '^"(token|address)";q=[1-9][0-9]*;w=[1-9][0-9]*$' },
  ),
  'Retry-After': optional('Seconds to wait before a retry. Omitted if the outcome of a write is unknown.', {
    type: 'integer',
    minimum: 1,
  }),
  'X-Accel-Buffering': optional('Asks proxies not to buffer the response. Only on a stream.', {
    type: 'string',
    const: 'no',
  }),
  'X-Content-Type-Options': required('The type is exact.', { type: 'string', const: 'nosniff' }),
  'X-Log-Position': optional(
    'Position in the log that includes the change, to be sent as `X-Min-Log-Position` to a process that reads from a standby. Omitted with SQLite.',
    { type: 'integer', format: 'int64' },
  ),
  'X-Request-Id': required(
    'Identifier of the request, also in the log: that of the client if it has this form, otherwise a new one.',
    {
      type: 'string',
      pattern: '^[A-Za-z0-9._-]{1,64}$',
    },
  ),
  'X-Total-Count': optional(
    'The number of items in all pages, or `1000+` if it is larger. Only with `count=true`, and without `name` and `search`.',
    {
      type: 'string',
      pattern: '^[0-9]+[+]?$',
    },
  ),
  'WWW-Authenticate': required(
    'Challenge (RFC 6750): only the realm if the request has no Authorization header, otherwise also the error.',
    { type: 'string', pattern: '^Bearer realm="plant-store"(, error="[a-z_]+"(, scope="[a-z:]+")?)?$' },
  ),
} satisfies Record<HeaderName | 'Cache-Control-Revalidated', unknown>;

/** The headers of every response to a valid token, if there is a rate limit. */
export const ofRateLimit: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

const { RateLimit: _, 'RateLimit-Policy': __, ...others } = headers;
export const withoutRateLimit = others;

/** The headers of a response, as references. Every response has the id of its request. */
export const headersOf = (names: readonly string[], values: Success['headers'] = {}) => {
  const component = (name: string): string =>
    name === 'Cache-Control' && values[name] === revalidated ? 'Cache-Control-Revalidated' : name;
  return Object.fromEntries(
    [...names, 'X-Request-Id'].map((name) => [name, { $ref: `#/components/headers/${component(name)}` }]),
  );
};

/** The parameters of an operation. A shared parameter is a reference, with the description of this operation if it differs. */
export const parametersOf = (location: Location, schema: TObject) =>
  toParameters(location, schema).map((parameter) => {
    const { name, description } = parameter;
    const shared = parameters[name];
    if (!isDeepStrictEqual({ ...shared, description }, parameter)) return parameter;
    return { $ref: `#/components/parameters/${name}`, ...(description !== shared?.description && { description }) };
  });

type Location = 'path' | 'query' | 'header';

export type Parameter = ReturnType<typeof toParameters>[number];

/** A parameter for each property, with its description and examples as OpenAPI requires. A property with a default is optional. */
export const toParameters = (location: Location, { properties, required = [] }: TObject) =>
  Object.entries(properties).map(([name, property]) => {
    const { description, examples: _, ...schema } = toSubschema(property);
    const isRequired = required.includes(name) && property.default === undefined;
    const examples = mapValues(examplesOf(property), (value) => ({ value }));
    return { name, in: location, description, ...(isRequired && { required: true }), schema, examples };
  });

const examplesOf = (property: TSchema): Readonly<Record<string, unknown>> => {
  const { examples } = toJsonSchema(property);
  return Array.isArray(examples) ? { demo: examples[0] } : { ...(typeof examples === 'object' && examples) };
};

export const parameters = Object.fromEntries(
  [
    ...toParameters('path', PlantPath),
    ...toParameters('path', DeliveryPath),
    ...toParameters('query', t.Object({ limit: limitOf('items'), count: countParameter })),
    ...toParameters('header', IfMatch),
    ...toParameters('header', MessageHeaders),
  ].map((parameter) => [parameter.name, parameter]),
);
