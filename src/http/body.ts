import { AppError } from '../domain/error.ts';
import { type Json, parseJsonBytes } from './json.ts';
import { parseMediaType } from './media-type.ts';

/** The largest body: by its Content-Length, to which the server holds the peer, or else counted as it arrives. */
export const bodyBytesMax = 64 * 1024;

/**
 * A step of a route that reads the JSON body, of one of these media types, in the place of Elysia's own reader: strictly, in
 * the order of the contract: media type, size, encoding, syntax. Rejects with AppError `unsupported_media_type`,
 * `body_too_large` or `malformed_body`.
 */
export const readBody =
  (...mediaTypes: string[]) =>
  async (context: { request: Request; body: Json }): Promise<void> => {
    const { request } = context;
    checkMediaType(request.headers, mediaTypes);
    const bytes = await readBytes(request);
    if (bytes.length === 0) throw malformed('is empty');
    context.body = parseJsonBytes(bytes);
  };

const checkMediaType = (headers: Headers, mediaTypes: readonly string[]): void => {
  if (headers.has('content-encoding')) throw unsupported('A Content-Encoding is not accepted.');
  const contentType = headers.get('content-type');
  if (contentType === null) throw unsupported(`The Content-Type must be ${mediaTypes.join(' or ')}.`);
  if (mediaTypes.includes(contentType)) return;
  const mediaType = parseMediaType(contentType);
  if (!mediaType || !mediaTypes.includes(mediaType.essence)) {
    throw unsupported(`The Content-Type must be ${mediaTypes.join(' or ')}.`);
  }
  const { charsets } = mediaType;
  if (charsets.length > 1 || charsets.some((charset) => charset !== 'utf-8'))
    throw unsupported('The charset must be UTF-8.');
};

/** The whole body, counted as it arrives. Throws AppError `body_too_large`, or `malformed_body` for one that breaks off. */
export const readBytes = async (request: Request): Promise<Uint8Array> => {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > bodyBytesMax) throw tooLarge();
  try {
    // The server holds the peer to a declared length; a body without one may be endless and is counted on its way.
    return declared === null ? await readCounted(request) : await request.bytes();
  } catch (error) {
    throw error instanceof AppError ? error : malformed('did not arrive whole', { cause: error });
  }
};

const readCounted = async (request: Request): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let lengthBytes = 0;
  for await (const chunk of request.body ?? []) {
    lengthBytes += chunk.length;
    if (lengthBytes > bodyBytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const unsupported = (message: string): AppError => new AppError('unsupported_media_type', message);
const tooLarge = (): AppError => new AppError('body_too_large', `The body is larger than ${bodyBytesMax} bytes.`);
const malformed = (what: string, options?: ErrorOptions): AppError =>
  new AppError('malformed_body', `The body ${what}.`, {}, options);
