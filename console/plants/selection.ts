/** The plants that the user has selected, as they were seen then. They stay selected on other pages. */
import type { Plant } from './members.ts';

export type Selection = ReadonlyMap<bigint, Plant>;

export const nothing: Selection = new Map();

export const isAllSelected = (selection: Selection, plants: readonly Plant[]): boolean =>
  plants.length > 0 && plants.every(({ id }) => selection.has(id));

export const select = (selection: Selection, plants: readonly Plant[]): Selection =>
  new Map([...selection, ...plants.map((plant) => [plant.id, plant] as const)]);

export const unselect = (selection: Selection, plants: readonly Pick<Plant, 'id'>[]): Selection => {
  const ids = new Set(plants.map(({ id }) => id));
  return new Map([...selection].filter(([id]) => !ids.has(id)));
};

/** Selects the plants, or none of them if all of them are selected. */
export const toggle = (selection: Selection, plants: readonly Plant[]): Selection =>
  isAllSelected(selection, plants) ? unselect(selection, plants) : select(selection, plants);

/** The plants that are selected, as they are now. */
export const refresh = (selection: Selection, plants: readonly Plant[]): Selection => {
  const known = plants.filter(({ id }) => selection.has(id));
  return known.length === 0 ? selection : select(selection, known);
};
