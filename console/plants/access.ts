/** What the console asks the API for, about one plant. */
import type { MemberName, Plant, Values } from './members.ts';

/** A plant as it is stored, and the `If-Match` for it, unless a proxy has removed its entity tag. */
export interface Stored {
  readonly plant: Plant;
  readonly match: string | undefined;
}

/** Each throws Problem, such as 404 if there is no plant with the id, and 412 if it no longer matches. */
export interface PlantAccess {
  read(id: bigint): Promise<Stored>;
  change(id: bigint, patch: Partial<Record<MemberName, string | null>>, match: string | undefined): Promise<Plant>;
  remove(id: bigint, match: string | undefined): Promise<void>;
  create(id: bigint, values: Values): Promise<void>;
}
