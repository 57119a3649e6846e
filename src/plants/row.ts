import type { plants } from '../../db/sqlite.ts';
import type { Complete, PlantRecord } from './plant.ts';

/** Never if a member has no column, or a column of another type. */
export type PlantRow = typeof plants.$inferSelect extends Row<PlantRecord> ? Row<PlantRecord> : never;

/** A row with the members of the type. A missing member is null. */
export type Row<Type> = {
  readonly [Member in keyof Required<Type>]: undefined extends Type[Member]
    ? Exclude<Type[Member], undefined> | null
    : Type[Member];
};

/** Names each member, since a list of spread copies takes a tenth longer. */
export const toPlant = ({ id, name, tag, createdAt, updatedAt }: Row<PlantRecord>): Complete<PlantRecord> => ({
  id,
  name,
  tag: tag ?? undefined,
  createdAt,
  updatedAt,
});

/** The inverse of `toPlant`. */
export const toPlantRow = ({ id, name, tag, createdAt, updatedAt }: PlantRecord): Row<PlantRecord> => ({
  id,
  name,
  tag: tag ?? null,
  createdAt,
  updatedAt,
});
