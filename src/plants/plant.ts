/**
 * A plant and its rules. Each rule is a pure function of the existing plant, the command and the time: it returns the record to
 * store and the event, or throws an AppError. An engine may run it again after a lost race.
 */
import { hash } from 'node:crypto';
import { AppError, changedSince, idTaken, noPlant } from '../base/app-error.ts';
import { int64ToJson } from '../base/int64.ts';
import { later } from '../base/time.ts';

/** @limit Plants | Code points in `name` | 400 */
export const nameLengthMax = 500;
/** @limit Plants | Code points in `tag` | 400 */
export const tagLengthMax = 100;

/** A plant as the specification defines it: the response to a creation. */
export interface Plant {
  readonly name: string;
  readonly tag?: string | undefined;
}

/** What is known of the picture of a plant: its media type, its size in pixels and bytes, and the SHA-256 of its bytes in hexadecimal. */
export interface Picture {
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly digest: string;
}

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** The type with every member required, though perhaps undefined, so that the compiler refuses a function that forgets one. */
export type Complete<Type> = { readonly [Member in keyof Required<Type>]: Type[Member] };

/** A plant to create. Its id is also the idempotency key of the creation. */
export interface NewPlant extends Plant {
  readonly id: bigint;
}

/** A stored plant, perhaps with a picture. Times are RFC 3339, UTC, in milliseconds. Every record is also a valid Plant. */
export interface PlantRecord extends NewPlant {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly picture?: Picture | undefined;
}

/** A change to a plant: an omitted member does not change, and an optional one that is `null` is removed (RFC 7396). */
export type PlantPatch = {
  readonly [Member in keyof Plant]?: Plant[Member] | (undefined extends Plant[Member] ? null : never) | undefined;
};

/** An event: the plant after the change; `timestamp` is RFC 3339, UTC. */
export interface PlantCreatedOrUpdated extends NewPlant {
  readonly type: 'plant.created' | 'plant.updated';
  readonly timestamp: string;
}

export interface PlantDeleted {
  readonly type: 'plant.deleted';
  readonly timestamp: string;
  readonly id: bigint;
}

/** The picture of a plant after its change, or before it was deleted. */
export interface PlantPictureChanged {
  readonly type: 'plant.picture.updated' | 'plant.picture.deleted';
  readonly timestamp: string;
  readonly id: bigint;
  readonly picture: Picture;
}

/** The record to store and the event of the change. The event is omitted if nothing changes. */
export interface PlantChange {
  readonly record: PlantRecord;
  readonly event?: PlantCreatedOrUpdated;
}

/** The creation of a plant whose id is free. */
export const applyCreate = (plant: NewPlant, now: Date): Required<PlantChange> => {
  const timestamp = now.toISOString();
  return {
    record: { ...plant, createdAt: timestamp, updatedAt: timestamp },
    event: { ...plant, type: 'plant.created', timestamp },
  };
};

/** A repeated creation, whose id is taken. Returns the existing plant if it is the same. Throws AppError `id_taken` otherwise. */
export const repeatCreate = (existing: PlantRecord | undefined, plant: NewPlant): PlantRecord => {
  if (!existing || !isSamePlant(existing, plant)) throw new AppError(idTaken);
  return existing;
};

/** Throws AppError `not_found`, and `precondition_failed` if `versions` does not include the version of the plant. */
export const applyUpdate = (
  existing: PlantRecord | undefined,
  patch: PlantPatch,
  versions: readonly string[] | undefined,
  now: Date,
): PlantChange => {
  const before = expectPlant(existing, versions);
  const record = patchPlant(before, patch, now);
  if (record === before) return { record };
  return { record, event: { type: 'plant.updated', timestamp: record.updatedAt, ...toNewPlant(record) } };
};

/** Throws as `applyUpdate` does. */
export const applyDelete = (
  existing: PlantRecord | undefined,
  versions: readonly string[] | undefined,
  now: Date,
): PlantDeleted => {
  const { id } = expectPlant(existing, versions);
  return { type: 'plant.deleted', timestamp: now.toISOString(), id };
};

/** Removes unknown members, which a client may have sent. */
export const toNewPlant = ({ id, name, tag }: NewPlant): Complete<NewPlant> => ({ id, name, tag });

/** Removes unknown members of a patch. */
export const toPlantPatch = ({ name, tag }: PlantPatch): Complete<PlantPatch> => ({ name, tag });

/** The patch that gives a plant exactly these members. */
export const toFullPatch = ({ name, tag }: Plant): Complete<PlantPatch> => ({ name, tag: tag ?? null });

/** The response to a creation, for `JSON.stringify`, which omits undefined members. */
export const createdPlantToJson = ({ name, tag }: Plant): Json<Plant> => ({ name, tag });

/** A plant in an event. */
export const newPlantToJson = ({ id, name, tag }: NewPlant): Json<NewPlant> => ({ id: int64ToJson(id), name, tag });

/** A record for `JSON.stringify`. It lists each member, since copies with the spread operator make lists slower. */
export const plantToJson = ({ id, name, tag, createdAt, updatedAt, picture }: PlantRecord): Json<PlantRecord> => ({
  id: int64ToJson(id),
  name,
  tag,
  createdAt,
  updatedAt,
  picture,
});

/** `JSON.stringify` refuses a bigint. */
type Json<Type> = Readonly<Record<keyof Type, string | object | ReturnType<typeof int64ToJson> | undefined>>;

/** Compares all but the times and the picture. */
export const isSamePlant = (a: NewPlant, b: NewPlant): boolean => a.id === b.id && a.name === b.name && a.tag === b.tag;

/** Applies the patch. Returns the record itself when the patch changes nothing. */
export const patchPlant = (
  record: PlantRecord,
  { name = record.name, tag = record.tag }: PlantPatch,
  now: Date,
): PlantRecord => {
  const members: Complete<Plant> = { name, tag: tag ?? undefined };
  const after = { ...record, ...members };
  return isSamePlant(after, record) ? record : { ...after, updatedAt: later(now.toISOString(), record.updatedAt) };
};

/** The version of a state of a plant: 16 base64url characters, 96 bits of SHA-256 over the record, the same in every store. */
export const versionOf = ({ id, name, tag, createdAt, updatedAt, picture }: PlantRecord): string => {
  const members = [`${id}`, name, tag, createdAt, updatedAt];
  return hash('sha256', JSON.stringify(picture ? [...members, picture.digest] : members), 'base64url').slice(0, 16);
};

/** Throws AppError `not_found`, and `precondition_failed` if `versions` does not include the version of the plant. */
export const expectPlant = (existing: PlantRecord | undefined, versions?: readonly string[]): PlantRecord => {
  if (!existing) throw new AppError(noPlant);
  if (versions) {
    const version = versionOf(existing);
    if (!versions.includes(version)) throw new AppError(changedSince, { version });
  }
  return existing;
};

export type PlantEvent = PlantCreatedOrUpdated | PlantDeleted | PlantPictureChanged;
