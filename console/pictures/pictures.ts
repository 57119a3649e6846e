/** The requests for pictures. Eden sends and reads no bytes, so these are requests of `fetch`. */
import { send } from '../api/client.ts';
import { matchOf } from '../api/etag.ts';
import type { Plant } from '../plants/members.ts';
import { createLimit } from './limit.ts';

export type Picture = NonNullable<Plant['picture']>;

export interface Loaded {
  readonly blob: Blob;
  /** The `If-Match` for it, unless a proxy has removed its entity tag. */
  readonly match: string | undefined;
}

/** Each throws Problem. */
export interface Pictures {
  read(id: bigint): Promise<Loaded>;
  /** The picture of a row, small. It waits for its turn, and rejects if the signal is aborted before that. */
  thumbnail(id: bigint, picture: Picture, signal: AbortSignal): Promise<ImageBitmap>;
  /** `seen` is the picture that it replaces. Without one, the plant must have none. */
  put(id: bigint, picture: Blob, seen: Loaded | undefined): Promise<void>;
  remove(id: bigint, seen: Loaded): Promise<void>;
}

/** A browser has six connections to a service: the list and the live log come first. */
const concurrentMax = 2;
const keptMax = 500;
/** In pixels of the screen, of which telephones have several for one of CSS. */
const thumbnailSide = 96;

export const createPictures = (token: string): Pictures => {
  const limit = createLimit(concurrentMax);
  const kept = new Map<string, ImageBitmap>();
  const path = (id: bigint): string => `plants/${id}/picture`;
  const read = async (id: bigint, signal?: AbortSignal): Promise<Loaded> => {
    const response = await send(token, path(id), { headers: { accept: 'image/*' }, ...(signal && { signal }) });
    return { blob: await response.blob(), match: matchOf(response.headers.get('etag')) };
  };
  return {
    read,
    thumbnail: async (id, picture, signal) => {
      const { digest } = picture;
      const known = kept.get(digest);
      if (known) return known;
      const bitmap = await limit(signal, async () => shrink((await read(id, signal)).blob, picture, thumbnailSide));
      kept.set(digest, bitmap);
      if (kept.size > keptMax) kept.delete(kept.keys().next().value ?? '');
      return bitmap;
    },
    put: async (id, body, seen) => {
      const condition = seen ? conditionOf(seen) : { 'if-none-match': '*' };
      await send(token, path(id), { method: 'PUT', headers: { 'content-type': body.type, ...condition }, body });
    },
    remove: async (id, seen) => {
      await send(token, path(id), { method: 'DELETE', headers: conditionOf(seen) });
    },
  };
};

const conditionOf = ({ match }: Loaded) => ({ ...(match !== undefined && { 'if-match': match }) });

/** Decodes at most this many pixels a side, so that a large picture takes little memory. It is never enlarged. */
export const shrink = (blob: Blob, { width, height }: Picture, side: number): Promise<ImageBitmap> =>
  createImageBitmap(blob, {
    resizeQuality: 'medium',
    ...(width >= height ? { resizeWidth: Math.min(width, side) } : { resizeHeight: Math.min(height, side) }),
  });
