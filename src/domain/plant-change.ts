/**
 * The rules of a plant. Each is a pure function of the present plant, the command and the time. It returns the record to keep,
 * the event and the answer, or throws the refusal. An engine may run it again after it has lost a race.
 */
import { AppError, changedSince, idTaken, noPlant } from './error.ts';
import type { PlantCreatedOrUpdated, PlantDeleted } from './event.ts';
import {
  type ImportedPlant,
  isSamePlant,
  type NewPlant,
  type PlantPatch,
  type PlantRecord,
  patchPlant,
  replaceByImport,
  toNewPlant,
  versionOf,
} from './plant.ts';

/** The record to keep, and the event of the change; none when nothing changes. */
export interface PlantChange {
  readonly record: PlantRecord;
  readonly event?: PlantCreatedOrUpdated;
}

/** A creation, as far as the id is free. */
export const createPlant = (plant: NewPlant, now: Date): Required<PlantChange> => {
  const timestamp = now.toISOString();
  return {
    record: { ...plant, createdAt: timestamp, updatedAt: timestamp },
    event: { ...plant, type: 'plant.created', timestamp },
  };
};

/** A creation whose id is not free: the same plant is there already. Throws AppError `id_taken` for any other. */
export const repeatCreation = (present: PlantRecord | undefined, plant: NewPlant): PlantRecord => {
  if (!present || !isSamePlant(present, plant)) throw new AppError(idTaken);
  return present;
};

/** Throws AppError `not_found`, and `precondition_failed` when `versions` are given without the plant's. */
export const updatePlant = (
  present: PlantRecord | undefined,
  patch: PlantPatch,
  versions: readonly string[] | undefined,
  now: Date,
): PlantChange => {
  const before = expectPlant(present, versions);
  const record = patchPlant(before, patch, now);
  if (record === before) return { record };
  return { record, event: { type: 'plant.updated', timestamp: record.updatedAt, ...toNewPlant(record) } };
};

/** Throws as `updatePlant` does. */
export const deletePlant = (
  present: PlantRecord | undefined,
  versions: readonly string[] | undefined,
  now: Date,
): PlantDeleted => {
  const { id } = expectPlant(present, versions);
  return { type: 'plant.deleted', timestamp: now.toISOString(), id };
};

/** What an import makes of a plant whose id is not free. */
export type ImportOutcome =
  | { readonly outcome: 'unchanged' | 'taken' }
  | ({ readonly outcome: 'replaced' } & Required<PlantChange>);

/** A plant of an import whose id is not free: it is there already, replaces the other one, or is left out. */
export const importOver = (
  present: PlantRecord,
  plant: ImportedPlant,
  onTaken: 'replace' | 'leave',
  now: Date,
): ImportOutcome => {
  if (isSamePlant(present, plant)) return { outcome: 'unchanged' };
  if (onTaken === 'leave') return { outcome: 'taken' };
  return {
    outcome: 'replaced',
    record: replaceByImport(present, plant, now),
    event: { type: 'plant.updated', timestamp: now.toISOString(), ...toNewPlant(plant) },
  };
};

const expectPlant = (present: PlantRecord | undefined, versions: readonly string[] | undefined): PlantRecord => {
  if (!present) throw new AppError(noPlant);
  if (versions && !versions.includes(versionOf(present))) throw new AppError(changedSince);
  return present;
};
