/** Reads the files of pictures. */
import { hash } from 'node:crypto';
import { AppError, invalidBody, pictureBytesMax } from '../base/app-error.ts';
import { type PictureType, pictureTypes } from '../plants/plant.ts';
import { otherFormat, pictureTooLarge } from './failures.ts';
import type { PictureFormat } from './format.ts';
import { jpeg } from './jpeg.ts';
import type { PictureFile } from './picture.ts';
import { png } from './png.ts';
import { webp } from './webp.ts';

/** @limit Pictures | Width and height in pixels | 400 */
export const pictureSideMax = 8192;

/** SVG is not among them, since it can have scripts. */
const formats: Readonly<Record<PictureType, PictureFormat>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/webp': webp,
};

/** The type of the format in which a file begins. */
export const typeOf = (content: Buffer): PictureType | undefined =>
  pictureTypes.find((type) => formats[type].begins(content));

export const badSize = invalidBody(`The picture must have 1 to ${pictureSideMax} pixels a side.`);

/**
 * Reads a picture of this type, to its end: what follows it, or something else in its place, would be served under its type. Throws
 * AppError `unsupported_media_type` for another format, and `body_too_large`, `malformed_body` or `invalid_body`.
 */
export const readPicture = (type: PictureType, content: Buffer<ArrayBuffer>): PictureFile => {
  const { begins, read } = formats[type];
  if (content.length > pictureBytesMax) throw new AppError(pictureTooLarge);
  if (!begins(content)) throw new AppError(otherFormat);
  const { width, height } = read(content);
  if (![width, height].every((side) => side >= 1 && side <= pictureSideMax)) throw new AppError(badSize);
  return { picture: { type, width, height, bytes: content.length, digest: hash('sha256', content, 'hex') }, content };
};
