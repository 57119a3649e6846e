import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  AppError,
  bodyBytesMax,
  bodyTooLarge,
  brokenBody,
  emptyBody,
  encodedBody,
  type Failure,
  malformedJson,
  otherCharset,
  otherMediaType,
} from '../base/app-error.ts';
import { isObject, type Json, JsonError, parseJsonBytes } from '../base/json.ts';
import { lazy } from '../base/lazy.ts';
import { type Fault, faultsIn, firstOfEach, invalidMembers, notObject } from './faults.ts';
import { isUtf8, parseMediaType } from './media-type.ts';
import type { RequestHeaders } from './parameters.ts';
import type { Examples, TObject } from './schema.ts';

export interface RequestBody<Body extends TObject = TObject> {
  readonly description: string;
  readonly schema: Body;
  readonly mediaTypes: readonly [string, ...string[]];
  readonly examples: Examples;
  /** The failure of an invalid body that the document shows as an example. */
  readonly failure: Failure;
}

/** The faults of a body that is an object, whose members can be invalid, of a request with these parameters in its path. */
export type Rules = (
  body: Readonly<Record<string, unknown>>,
  params: Readonly<Record<string, string>>,
) => readonly Fault[];

/**
 * A step of a route that reads the JSON body instead of Elysia, strictly. It checks the media type, the size, the encoding, the
 * syntax and the schema, in this order. Rejects with AppError `unsupported_media_type`, `body_too_large`, `malformed_body` or
 * `invalid_body`.
 *
 * Elysia cannot check the schema without access to `request.body`, for which Bun creates a stream: a fifth of the cost of a create.
 * `bench/body.ts` measures that, and docs/elysia.md has the figures.
 */
export const readBody = ({ mediaTypes, schema }: RequestBody, rules?: Rules) => {
  const compiled = lazy(() => TypeCompiler.Compile(schema));
  return async (context: {
    request: Request;
    headers: RequestHeaders;
    params: Readonly<Record<string, string>>;
    body: unknown;
  }): Promise<void> => {
    const { request, headers, params } = context;
    checkMediaType(headers, mediaTypes);
    const bytes = await readBytes(request, headers['content-length']);
    if (bytes.length === 0) throw new AppError(emptyBody);
    const body = parse(bytes);
    if (!isObject(body)) throw new AppError(notObject);
    const isValid = compiled().Check(body);
    if (!isValid || rules) {
      const faults = isValid ? [] : faultsIn(schema, body);
      const [first, ...others] = firstOfEach([...faults, ...(rules?.(body, params) ?? [])]);
      if (first) throw new AppError(invalidMembers(first, ...others));
      if (!isValid) throw new Error('The body has no fault.');
    }
    context.body = body;
  };
};

/** Throws AppError `unsupported_media_type` for another media type or charset, and for any Content-Encoding. */
export const checkMediaType = (headers: RequestHeaders, accepted: readonly string[]): void => {
  // A list may be empty, or have empty elements (RFC 9110 §5.6.1.2).
  if (/[^\s,]/.test(headers['content-encoding'] ?? '')) throw new AppError(encodedBody);
  const contentType = headers['content-type'] ?? '';
  if (accepted.includes(contentType)) return;
  const mediaType = parseMediaType(contentType);
  if (!mediaType || !accepted.includes(mediaType.essence)) throw new AppError(otherMediaType(accepted));
  const { charsets } = mediaType;
  if (charsets.length > 1 || !charsets.every(isUtf8)) throw new AppError(otherCharset);
};

const parse = (bytes: Uint8Array): Json => {
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    throw error instanceof JsonError ? new AppError(malformedJson[error.fault]) : error;
  }
};

/** The whole body of a request with this `Content-Length`. Rejects with AppError `body_too_large`, or `malformed_body` for an incomplete body. */
export const readBytes = async (request: Request, declared: string | undefined): Promise<Uint8Array> => {
  if (declared !== undefined && Number(declared) > bodyBytesMax) throw new AppError(bodyTooLarge);
  try {
    // The server enforces a declared length. A body without one can be endless, so it is counted as it arrives.
    return declared === undefined ? await readCounted(request) : await request.bytes();
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError(brokenBody, { cause });
  }
};

const readCounted = async (request: Request): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let lengthBytes = 0;
  for await (const chunk of request.body ?? []) {
    lengthBytes += chunk.length;
    if (lengthBytes > bodyBytesMax) throw new AppError(bodyTooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
