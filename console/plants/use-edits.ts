/** The rows that are edited, and their saves. */
import { useReducer, useRef, useState } from 'preact/hooks';
import { asProblem, explain } from '../api/problem.ts';
import { announce } from '../parts/announcer.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import type { PlantActions } from './actions.ts';
import { type Edit, isChanged, noEdits, reduceEdits } from './edits.ts';
import { type MemberName, type Plant, type Values, valuesOf } from './members.ts';
import type { RowActions } from './row-actions.ts';
import type { Focus } from './table.tsx';

/** `setFocus` gives an element of the table the focus. */
export const useEdits = (actions: PlantActions, setFocus: (focus: Focus) => void) => {
  const [edits, dispatch] = useReducer(reduceEdits, noEdits);
  const [focused, setFocused] = useState<{ readonly id: bigint; readonly name: MemberName }>();
  const latestKey = useRef(0);
  useUnsaved([...edits.values()].some((edit) => edit.isSaving || isChanged(edit)));

  const save = async ({ key, plant }: Edit, values: Values, name: MemberName): Promise<void> => {
    const { id } = plant;
    dispatch({ type: 'save', id });
    setFocus({ id, stop: name });
    try {
      const change = await actions.change(id, valuesOf(plant), values);
      if (change.kind === 'done') dispatch({ type: 'saved', id, key });
      else {
        dispatch({ type: 'conflict', id, key, stored: change.stored });
        announce(`Plant ${id} was not saved: somebody else has changed it.`);
      }
    } catch (error) {
      const problem = asProblem(error);
      dispatch({ type: 'failed', id, key, problem });
      announce(`Plant ${id} was not saved. ${explain(problem)}`);
    }
  };
  const begin = (plant: Plant): number => {
    latestKey.current += 1;
    dispatch({ type: 'begin', key: latestKey.current, plant });
    return latestKey.current;
  };

  const rowActions = {
    onEdit: (plant, name) => {
      begin(plant);
      setFocused({ id: plant.id, name });
    },
    onType: (id, values) => dispatch({ type: 'enter', id, values }),
    onSave: (edit, name) => {
      if (isChanged(edit)) void save(edit, edit.values, name);
      else rowActions.onCancel(edit.plant.id, name);
    },
    onResolve: (id, values) => {
      const edit = edits.get(id);
      if (!edit?.stored) return;
      dispatch({ type: 'resolve', id, values });
      void save({ ...edit, plant: edit.stored }, values, 'name');
    },
    onCancel: (id, name) => {
      dispatch({ type: 'cancel', id });
      setFocus({ id, stop: name });
    },
  } satisfies Partial<RowActions>;

  return { edits, focused, actions: rowActions };
};
