import type { plants } from '../../db/sqlite.ts';
import type { Complete, PlantRecord } from './plant.ts';

/** Never if a member has no column, or a column of another type. */
export type PlantRow = typeof plants.$inferSelect extends Row<PlantRecord> ? Row<PlantRecord> : never;

/** A row with the members of the type. A missing member is null, and an object is JSON. */
export type Row<Type> = {
  readonly [Member in keyof Required<Type>]: undefined extends Type[Member]
    ? Stored<Exclude<Type[Member], undefined>> | null
    : Stored<Type[Member]>;
};

type Stored<Value> = Value extends object ? string : Value;

/** Names each member, since a list of spread copies takes a tenth longer. */
export const toPlant = ({ id, name, tag, createdAt, updatedAt, picture }: Row<PlantRecord>): Complete<PlantRecord> => ({
  id,
  name,
  tag: tag ?? undefined,
  createdAt,
  updatedAt,
  picture: picture === null ? undefined : JSON.parse(picture),
});

/** The inverse of `toPlant`. */
export const toPlantRow = ({ id, name, tag, createdAt, updatedAt, picture }: PlantRecord): Row<PlantRecord> => ({
  id,
  name,
  tag: tag ?? null,
  createdAt,
  updatedAt,
  picture: picture === undefined ? null : JSON.stringify(picture),
});
