/**
 * The body of an operation that takes a file. The handler reads it as it arrives, in pieces, so a large one is never in memory as a whole. Its
 * limits are those of the operation.
 */
import { setImmediate } from 'node:timers/promises';
import { AppError, brokenBody, type Failure } from '../base/app-error.ts';
import { checkMediaType } from './body.ts';
import type { RequestHeaders } from './parameters.ts';
import type { Examples, TSchema } from './schema.ts';

export interface Upload {
  readonly description: string;
  readonly bytesMax: number;
  /** The failure of a larger body. */
  readonly tooLarge: Failure;
  /** The forms of the file, by their media types. */
  readonly contents: Readonly<Record<string, UploadContent>>;
}

export interface UploadContent {
  readonly schema: TSchema;
  readonly examples: Examples;
  /** Of a form: the content types of its parts, by their names. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>;
}

/** A step of a route: checks the media type and the declared length. Throws AppError `unsupported_media_type` or `body_too_large`. */
export const checkUpload = ({
  contents,
  bytesMax,
  tooLarge,
}: Upload): ((context: { headers: RequestHeaders }) => void) => {
  const mediaTypes = Object.keys(contents);
  return ({ headers }) => {
    checkMediaType(headers, mediaTypes);
    if (Number(headers['content-length'] ?? 0) > bytesMax) throw new AppError(tooLarge);
  };
};

/** So many bytes are read in one turn of the event loop. */
const pieceBytes = 16 * 1024;

/** The body of a request. A read rejects with AppError `body_too_large`, and `malformed_body` when the client breaks off. */
export const openUpload = ({ body }: Pick<Request, 'body'>, { bytesMax, tooLarge }: Upload) => {
  const reader = body?.getReader();
  let bytes = 0;

  /** Undefined at the end. */
  const next = async (): Promise<Uint8Array | undefined> => {
    const read = reader?.read().catch((cause) => {
      throw new AppError(brokenBody, { cause });
    });
    const value = (await read)?.value;
    bytes += value?.length ?? 0;
    if (bytes <= bytesMax) return value;
    void reader?.cancel().catch(() => {});
    throw new AppError(tooLarge);
  };

  return {
    /** The number of bytes that have arrived. */
    bytes: (): number => bytes,
    /** All pieces, however the client has divided the body. Each comes in its own turn of the event loop. */
    pieces: async function* (): AsyncGenerator<Buffer> {
      let waiting: Uint8Array[] = [];
      let waitingBytes = 0;
      const take = async function* () {
        const block = Buffer.concat(waiting);
        waiting = [];
        waitingBytes = 0;
        for (let at = 0; at < block.length; at += pieceBytes) {
          yield block.subarray(at, at + pieceBytes);
          await setImmediate();
        }
      };
      for (let chunk = await next(); chunk; chunk = await next()) {
        waiting.push(chunk);
        waitingBytes += chunk.length;
        if (waitingBytes >= pieceBytes) yield* take();
      }
      yield* take();
    },
    /** Reads the rest, so that the client gets the response to a file that is refused before its end. */
    drain: async (): Promise<void> => {
      while (await next());
    },
  };
};
