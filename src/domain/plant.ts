import { hash } from 'node:crypto';
import { int64ToJson } from '../base/int64.ts';

/** The limits of a plant's texts, in Unicode code points, as JSON Schema counts them. */
export const nameLengthMax = 500;
export const tagLengthMax = 100;

/** A plant as the specification shows it: what a client learns from creating one. */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** A plant to be put in the store. Its id is also the idempotency key of its creation. */
export interface NewPlant extends Plant {
  readonly id: bigint;
}

/** A plant as it is kept. Times are RFC 3339, UTC, in milliseconds. Every record is also a valid Plant. */
export interface PlantRecord extends NewPlant {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A record as JSON, in the order in which it is read; an absent tag is left out by JSON. */
export const plantToJson = ({ id, name, tag, createdAt, updatedAt }: PlantRecord) => ({
  id: int64ToJson(id),
  name,
  tag,
  createdAt,
  updatedAt,
});

/** A change to a plant: an absent member stays as it is, and a tag that is `null` is removed (RFC 7396). */
export interface PlantPatch {
  readonly name?: string;
  readonly tag?: string | null;
}

/** A plant from an export, which brings its times, or from elsewhere, which has none. */
export interface ImportedPlant extends NewPlant {
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** Applies the patch; a patch that changes nothing gives back the record itself, with its time. */
export const patchPlant = (record: PlantRecord, { name = record.name, tag }: PlantPatch, now: Date): PlantRecord => {
  const { tag: tagBefore, ...rest } = record;
  const tagAfter = tag === undefined ? tagBefore : (tag ?? undefined);
  if (name === record.name && tagAfter === tagBefore) return record;
  const updatedAt = later(now.toISOString(), record.updatedAt);
  return { ...rest, name, ...(tagAfter !== undefined && { tag: tagAfter }), updatedAt };
};

/** The record of a plant that an import brings: one time alone stands for both. */
export const recordImport = (plant: ImportedPlant, now: Date): PlantRecord => {
  const { createdAt = plant.updatedAt ?? now.toISOString(), updatedAt = createdAt } = plant;
  return { ...plant, createdAt, updatedAt };
};

/** The record of a plant that an import puts in the place of another one with its id. */
export const replaceByImport = (present: PlantRecord, plant: ImportedPlant, now: Date): PlantRecord => {
  const updatedAt = plant.updatedAt ?? later(now.toISOString(), plant.createdAt ?? present.createdAt);
  const createdAt = plant.createdAt ?? earlier(present.createdAt, updatedAt);
  return { ...plant, createdAt, updatedAt };
};

/** Times of this form sort as they are. No record changes before it is created, even when the clock was set back. */
const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);

/** Whether the text is a time as this program writes it: RFC 3339, UTC, in milliseconds. */
export const isInstant = (text: unknown): text is string =>
  typeof text === 'string' &&
  instantForm.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString() === text;

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether both say the same of the same plant; when they were written does not count. */
export const isSamePlant = (a: NewPlant, b: NewPlant): boolean => a.id === b.id && a.name === b.name && a.tag === b.tag;

/**
 * Names this state of the plant: 16 base64url characters (96 bits of SHA-256) that any change to the record changes. Two
 * stores that hold the same record give it the same version.
 */
export const versionOf = ({ id, name, tag, createdAt, updatedAt }: PlantRecord): string =>
  hash('sha256', JSON.stringify([`${id}`, name, tag, createdAt, updatedAt]), 'base64url').slice(0, 16);

/**
 * Whether `value` is a string that every engine keeps faithfully: at most `lengthMax` code points, no U+0000 and no lone
 * surrogate.
 */
export const isKeepableText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && hasAtMost(value, lengthMax) && !value.includes('\0') && value.isWellFormed();

/** Counts code points only where the UTF-16 length leaves the answer open. */
const hasAtMost = (text: string, codePointsMax: number): boolean => {
  if (text.length <= codePointsMax) return true;
  if (text.length > 2 * codePointsMax) return false;
  let codePoints = 0;
  for (const _ of text) codePoints += 1;
  return codePoints <= codePointsMax;
};
