/** The picture of a plant and its rules, as pure functions of the plant, the command and the time. A plant has at most one. */
import { hash } from 'node:crypto';
import {
  AppError,
  invalidBody,
  noPicture,
  otherFormat,
  pictureBytesMax,
  pictureChanged,
  pictureKnown,
  pictureTooLarge,
} from '../base/app-error.ts';
import { later } from '../base/time.ts';
import { isAmong, type Preconditions } from '../http/conditional.ts';
import {
  expectPlant,
  type Picture,
  type PictureType,
  type PlantPictureChanged,
  type PlantRecord,
} from '../plants/plant.ts';
import type { PictureFormat } from './formats/format.ts';
import { jpeg } from './formats/jpeg.ts';
import { png } from './formats/png.ts';
import { webp } from './formats/webp.ts';

/** @limit Pictures | Width and height in pixels | 400 */
export const pictureSideMax = 8192;

/** A picture with its bytes. */
export interface PictureFile {
  readonly picture: Picture;
  readonly content: Uint8Array<ArrayBuffer>;
}

export interface PictureChange {
  readonly record: PlantRecord;
  /** Omitted when nothing changes. */
  readonly event?: PlantPictureChanged;
}

/** SVG is not among them, since it can have scripts. */
const formats: Readonly<Record<PictureType, PictureFormat>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/webp': webp,
};

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

/** The version of a picture: 96 bits of the SHA-256 of its bytes in base64url. */
export const versionOfPicture = ({ digest }: Picture): string =>
  Buffer.from(digest, 'hex').subarray(0, 12).toString('base64url');

/** Throws AppError `not_found` if there is no plant, or it has no picture. */
export const expectPicture = (existing: PlantRecord | undefined): Picture => {
  const { picture } = expectPlant(existing);
  if (!picture) throw new AppError(noPicture);
  return picture;
};

/** The same bytes change nothing. Throws AppError `precondition_failed`, and `not_found` if there is no plant, or `If-Match` needs a picture. */
export const applyPicture = (
  existing: PlantRecord | undefined,
  picture: Picture,
  preconditions: Preconditions,
  now: Date,
): PictureChange => {
  const before = expectPlant(existing);
  expectPreconditions(before.picture, preconditions);
  if (before.picture?.digest === picture.digest) return { record: before };
  return change(before, 'plant.picture.updated', picture, { ...before, picture }, now);
};

/** Throws AppError `not_found` if there is no plant or no picture, and `precondition_failed`. */
export const applyRemoval = (
  existing: PlantRecord | undefined,
  preconditions: Preconditions,
  now: Date,
): Required<PictureChange> => {
  const { picture, ...before } = expectPlant(existing);
  if (!picture) throw new AppError(noPicture);
  expectPreconditions(picture, preconditions);
  return change(before, 'plant.picture.deleted', picture, before, now);
};

const change = (
  { id, updatedAt }: PlantRecord,
  type: PlantPictureChanged['type'],
  picture: Picture,
  after: PlantRecord,
  now: Date,
): Required<PictureChange> => {
  const timestamp = later(now.toISOString(), updatedAt);
  return { record: { ...after, updatedAt: timestamp }, event: { type, timestamp, id, picture } };
};

/** Without a picture, there is nothing that `If-Match` could match. */
const expectPreconditions = (picture: Picture | undefined, { match, noneMatch }: Preconditions): void => {
  if (!picture) {
    if (match) throw new AppError(noPicture);
    return;
  }
  const version = versionOfPicture(picture);
  if (match && !isAmong(match, version)) throw new AppError(pictureChanged, { version });
  if (noneMatch && isAmong(noneMatch, version)) throw new AppError(pictureKnown, { version });
};
