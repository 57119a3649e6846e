import type { PlantRecord } from '../../domain/plant.ts';

/** A row of `plants`, in the order of its columns. */
export type PlantValues = [id: bigint, name: string, tag: string | null, createdAt: string, updatedAt: string];

/** Names each member, since a list of spread copies takes a tenth longer. */
export const toPlant = ([id, name, tag, createdAt, updatedAt]: PlantValues): PlantRecord =>
  tag === null ? { id, name, createdAt, updatedAt } : { id, name, tag, createdAt, updatedAt };

/** The inverse of `toPlant`. */
export const toPlantValues = ({ id, name, tag, createdAt, updatedAt }: PlantRecord): PlantValues => [
  id,
  name,
  tag ?? null,
  createdAt,
  updatedAt,
];

export const toPlantRow = ({ id, name, tag, createdAt, updatedAt }: PlantRecord) => ({
  id,
  name,
  tag: tag ?? null,
  createdAt,
  updatedAt,
});
