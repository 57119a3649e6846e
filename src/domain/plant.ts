/** A plant, and what is done with it member by member. */
import { hash } from 'node:crypto';
import { int64ToJson } from '../base/int64.ts';
import { earlier, later } from '../base/time.ts';

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

/** The members of a plant and no others, such as those that a client may have sent besides. */
export const toNewPlant = ({ id, name, tag }: NewPlant): NewPlant => ({
  id,
  name,
  ...(tag !== undefined && { tag }),
});

/** The same for a patch. */
export const toPlantPatch = ({ name, tag }: PlantPatch): PlantPatch => ({
  ...(name !== undefined && { name }),
  ...(tag !== undefined && { tag }),
});

/** A plant for `JSON.stringify`, which leaves out what is absent: as a creation is answered. */
export const createdPlantToJson = ({ name, tag }: Plant) => ({ name, tag });

/** A plant in an event. */
export const newPlantToJson = ({ id, name, tag }: NewPlant) => ({ id: int64ToJson(id), name, tag });

/** A record, as it is read. Member by member, since a list has many. */
export const plantToJson = ({ id, name, tag, createdAt, updatedAt }: PlantRecord) => ({
  id: int64ToJson(id),
  name,
  tag,
  createdAt,
  updatedAt,
});

/** Whether both say the same of the same plant; when they were written does not count. */
export const isSamePlant = (a: NewPlant, b: NewPlant): boolean => a.id === b.id && a.name === b.name && a.tag === b.tag;

/** Applies the patch; a patch that changes nothing gives back the record itself, with its time. */
export const patchPlant = (record: PlantRecord, { name = record.name, tag }: PlantPatch, now: Date): PlantRecord => {
  const { tag: tagBefore, ...rest } = record;
  const tagAfter = tag === undefined ? tagBefore : (tag ?? undefined);
  if (name === record.name && tagAfter === tagBefore) return record;
  const updatedAt = later(now.toISOString(), record.updatedAt);
  return { ...rest, name, ...(tagAfter !== undefined && { tag: tagAfter }), updatedAt };
};

/**
 * Names this state of the plant: 16 base64url characters (96 bits of SHA-256) that any change to the record changes. Two
 * stores that hold the same record give it the same version.
 */
export const versionOf = ({ id, name, tag, createdAt, updatedAt }: PlantRecord): string =>
  hash('sha256', JSON.stringify([`${id}`, name, tag, createdAt, updatedAt]), 'base64url').slice(0, 16);

/** The record of a plant that an import brings: one time alone stands for both. */
export const recordImport = (plant: ImportedPlant, now: Date): PlantRecord => {
  const { createdAt = plant.updatedAt ?? now.toISOString(), updatedAt = createdAt } = plant;
  return { ...plant, createdAt, updatedAt };
};

/** The record of a plant that an import puts in the place of another one with its id. It never changes before it is created. */
export const replaceByImport = (present: PlantRecord, plant: ImportedPlant, now: Date): PlantRecord => {
  const updatedAt = plant.updatedAt ?? later(now.toISOString(), plant.createdAt ?? present.createdAt);
  const createdAt = plant.createdAt ?? earlier(present.createdAt, updatedAt);
  return { ...plant, createdAt, updatedAt };
};
