/** The rules of an import, as pure functions. */
import { earlier, later } from '../base/time.ts';
import { isSamePlant, type NewPlant, type PlantChange, type PlantRecord, toNewPlant } from './plant.ts';

/** A plant to import. It has times if it comes from an export. */
export type ImportedPlant = NewPlant & Partial<Pick<PlantRecord, 'createdAt' | 'updatedAt'>>;

/** An import of a plant whose id is taken: the same plant does not change, and a different one is replaced or left unchanged. */
export const applyImport = (
  existing: PlantRecord,
  plant: ImportedPlant,
  onTaken: 'replace' | 'leave',
  now: Date,
): { outcome: 'unchanged' | 'taken' } | ({ outcome: 'replaced' } & Required<PlantChange>) => {
  if (isSamePlant(existing, plant)) return { outcome: 'unchanged' };
  if (onTaken === 'leave') return { outcome: 'taken' };
  return {
    outcome: 'replaced',
    record: replaceByImport(existing, plant, now),
    event: { type: 'plant.updated', timestamp: now.toISOString(), ...toNewPlant(plant) },
  };
};

/** The record of an imported plant. If it has only one of the times, that one is used for both. */
export const recordImport = (plant: ImportedPlant, now: Date): PlantRecord => {
  const { createdAt = plant.updatedAt ?? now.toISOString(), updatedAt = createdAt } = plant;
  return { ...plant, createdAt, updatedAt };
};

/** The record of an imported plant that replaces another one. `updatedAt` is never earlier than `createdAt`. */
export const replaceByImport = (existing: PlantRecord, plant: ImportedPlant, now: Date): PlantRecord => {
  const updatedAt = plant.updatedAt ?? later(now.toISOString(), plant.createdAt ?? existing.createdAt);
  const createdAt = plant.createdAt ?? earlier(existing.createdAt, updatedAt);
  return { ...plant, createdAt, updatedAt, picture: existing.picture };
};
