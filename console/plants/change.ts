/**
 * Changes a plant without overwriting another person's change. It reads the plant again and compares it with what the user has seen, so it
 * needs no entity tag in between, and with one in `If-Match` nothing can happen in the meantime either. Only changed members are sent.
 */
import { asProblem } from '../api/problem.ts';
import type { PlantAccess, Stored } from './access.ts';
import { conflicts, differences, type MemberName, type Plant, patchOf, type Values, valuesOf } from './members.ts';

export type Change =
  | {
      readonly kind: 'done';
      readonly plant: Plant;
      /** What was stored immediately before. */
      readonly before: Plant;
      /** Members that others have changed since the user has seen the plant. */
      readonly others: readonly MemberName[];
    }
  /** Others have changed the same members. Nothing was changed. */
  | { readonly kind: 'conflict'; readonly stored: Plant };

/** `seen` are the values that the user has changed to `values`. Throws Problem, such as 404. */
export const changePlant = (access: PlantAccess, id: bigint, seen: Values, values: Values): Promise<Change> =>
  withStored(access, id, async ({ plant, match }) => {
    const theirs = valuesOf(plant);
    if (conflicts(seen, values, theirs).length > 0) return { kind: 'conflict', stored: plant };
    const others = differences(seen, theirs).filter((name) => theirs[name] !== values[name]);
    const changed = differences(seen, values).filter((name) => theirs[name] !== values[name]);
    if (changed.length === 0) return { kind: 'done', plant, before: plant, others };
    return { kind: 'done', plant: await access.change(id, patchOf(changed, values), match), before: plant, others };
  });

/** Deletes the plant if it still has the values that the user has seen. */
export const deletePlant = (access: PlantAccess, id: bigint, seen: Values): Promise<Change> =>
  withStored(access, id, async ({ plant, match }) => {
    const others = differences(seen, valuesOf(plant));
    if (others.length > 0) return { kind: 'conflict', stored: plant };
    await access.remove(id, match);
    return { kind: 'done', plant, before: plant, others };
  });

/** A plant that changes again and again, between the read and the change, is changed at one of these attempts, or never. */
const attemptsMax = 5;

const withStored = async (
  access: PlantAccess,
  id: bigint,
  run: (stored: Stored) => Promise<Change>,
): Promise<Change> => {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await access.read(id);
    try {
      return await run(stored);
    } catch (error) {
      const { status } = asProblem(error);
      if (status !== 412 || attempt === attemptsMax) throw error;
    }
  }
};
