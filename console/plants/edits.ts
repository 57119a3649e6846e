/**
 * The rows that are edited: for each the plant that the user has seen, and the values typed. Each row has its own, so another row can be opened
 * without a loss, and a late answer finds only the edit that it belongs to.
 */
import type { Problem } from '../api/problem.ts';
import { differences, type Plant, type Values, valuesOf } from './members.ts';

export interface Edit {
  /** Each edit has another one, also of the same plant. */
  readonly key: number;
  /** As the user has seen it. */
  readonly plant: Plant;
  readonly values: Values;
  readonly isSaving: boolean;
  readonly problem?: Problem | undefined;
  /** What others have stored in the meantime, if the same members differ. */
  readonly stored?: Plant | undefined;
}

export type Edits = ReadonlyMap<bigint, Edit>;

export const noEdits: Edits = new Map();

export type EditAction =
  | { readonly type: 'begin'; readonly key: number; readonly plant: Plant }
  | { readonly type: 'enter'; readonly id: bigint; readonly values: Values }
  | { readonly type: 'save' | 'cancel'; readonly id: bigint }
  /** The outcome of a save. */
  | { readonly type: 'saved'; readonly id: bigint; readonly key: number }
  | { readonly type: 'failed'; readonly id: bigint; readonly key: number; readonly problem: Problem }
  | { readonly type: 'conflict'; readonly id: bigint; readonly key: number; readonly stored: Plant }
  /** Continues from what others have stored, with these values. */
  | { readonly type: 'resolve'; readonly id: bigint; readonly values: Values };

export const isChanged = ({ plant, values }: Edit): boolean => differences(valuesOf(plant), values).length > 0;

export const reduceEdits = (edits: Edits, action: EditAction): Edits => {
  if (action.type === 'begin') return begin(edits, action.key, action.plant);
  const edit = edits.get(action.id);
  if (!edit || ('key' in action && action.key !== edit.key)) return edits;
  const set = (changes: Partial<Edit>): Edits => new Map([...edits, [action.id, { ...edit, ...changes }]]);
  switch (action.type) {
    case 'enter':
      return edit.isSaving ? edits : set({ values: action.values });
    case 'save':
      return set({ isSaving: true, problem: undefined });
    case 'failed':
      return set({ isSaving: false, problem: action.problem });
    case 'conflict':
      return set({ isSaving: false, stored: action.stored });
    case 'resolve':
      return edit.stored ? set({ plant: edit.stored, values: action.values, stored: undefined }) : edits;
    case 'saved':
    case 'cancel':
      return new Map([...edits].filter(([id]) => id !== action.id));
  }
};

/** An edit of another row stays if something is typed in it. */
const begin = (edits: Edits, key: number, plant: Plant): Edits => {
  if (edits.has(plant.id)) return edits;
  const kept = [...edits].filter(([, edit]) => edit.isSaving || isChanged(edit));
  return new Map([...kept, [plant.id, { key, plant, values: valuesOf(plant), isSaving: false }]]);
};
