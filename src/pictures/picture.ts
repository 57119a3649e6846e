/** The picture of a plant and its rules, as pure functions of the plant, the command and the time. A plant has at most one. */
import { hash } from 'node:crypto';
import { AppError } from '../base/app-error.ts';
import { isAmong, type Preconditions, type Versions } from '../base/preconditions.ts';
import { later } from '../base/time.ts';
import { expectPlant, type Picture, type PlantPictureChanged, type PlantRecord } from '../plants/plant.ts';
import { noPicture, pictureChanged, pictureKnown } from './failures.ts';

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

/** The version of a picture: 96 bits of the SHA-256 of its bytes in base64url. */
export const versionOfPicture = ({ digest }: Pick<Picture, 'digest'>): string =>
  Buffer.from(digest, 'hex').subarray(0, 12).toString('base64url');

/** The version of a picture as JSON: an entity tag is of one form alone. */
export const versionOfJson = ({ digest }: Picture): string =>
  hash('sha256', `json ${digest}`, 'base64url').slice(0, 16);

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
  const isCurrent = (versions: Versions) => isAmong(versions, version) || isAmong(versions, versionOfJson(picture));
  if (match && !isCurrent(match)) throw new AppError(pictureChanged, { version });
  if (noneMatch && isCurrent(noneMatch)) throw new AppError(pictureKnown, { version });
};
