/** What a user does with plants, from every view: each action is announced, can be undone while the page is open, and is shown in the lists. */
import type { Api } from '../api/api.ts';
import { asProblem, Problem } from '../api/problem.ts';
import { runJob } from '../jobs/job.ts';
import { announce } from '../parts/announcer.tsx';
import { askFirst } from '../parts/question.tsx';
import { createStore, type Store } from '../parts/store.ts';
import { countOf } from '../parts/text.tsx';
import type { Loaded, Pictures } from '../pictures/pictures.ts';
import { type Change, changePlant, deletePlant } from './change.ts';
import { type Plant, type Values, valuesOf } from './members.ts';
import { accessTo } from './plant.ts';
import { createRestore, type ImportLines } from './restore.ts';
import { type Done, type Inverse, inversesOf, remember, type Step } from './undo.ts';
import { changedSince, describe, wordsForFailures, wordsForOthers } from './words.ts';

/** What has been done, for the lists. */
export type Effect =
  | { readonly kind: 'stored'; readonly plant: Plant }
  | { readonly kind: 'deleted'; readonly id: bigint }
  /** So much at once that a list is loaded again. */
  | { readonly kind: 'many' };

export interface PlantActions {
  readonly done: Store<readonly Done[]>;
  /** Returns what ends the subscription. */
  onEffect(listener: (effect: Effect) => void): () => void;
  /** Resolves to the conflict, if there is one. Throws Problem. */
  change(id: bigint, seen: Values, values: Values): Promise<Change>;
  create(id: bigint, values: Values): Promise<void>;
  /** Gives the plant these values, as it had them before, and creates it again if it was deleted. */
  restoreValues(id: bigint, values: Values): Promise<void>;
  /** Creates a plant again that was deleted. */
  restore(plant: Plant): Promise<void>;
  /** Gives the plant a picture in the place of the one that the user has seen, or of none. Undefined removes it. Throws Problem. */
  setPicture(id: bigint, picture: Blob | undefined, seen: Loaded | undefined): Promise<void>;
  /** Asks if the plant has a picture, or is another one than the user has seen. Resolves to whether it is deleted. */
  remove(seen: Plant): Promise<boolean>;
  changeMany(title: string, plants: readonly Plant[], values: (plant: Plant) => Values): Promise<void>;
  removeMany(plants: readonly Plant[]): Promise<void>;
  /** Undoes what was done last. */
  undo(): Promise<void>;
}

/** `importLines` creates deleted plants again. */
export const createActions = (api: Api, pictures: Pictures, importLines: ImportLines): PlantActions => {
  const access = accessTo(api);
  const done = createStore<readonly Done[]>([]);
  const listeners = new Set<(effect: Effect) => void>();
  const emit = (effect: Effect): void => {
    for (const listener of listeners) listener(effect);
  };
  const keep = (title: string, steps: readonly Step[]): void =>
    done.update((before) => remember(before, { title, steps }));

  const removeOne = async (seen: Plant): Promise<boolean> => {
    let plant = seen;
    for (;;) {
      const change = await deletePlant(access, plant.id, valuesOf(plant));
      if (change.kind === 'done') {
        keep(`the deletion of plant ${plant.id}`, [{ kind: 'deleted', plant: change.before }]);
        announce(`Deleted plant ${plant.id}.`);
        emit({ kind: 'deleted', id: plant.id });
        return true;
      }
      emit({ kind: 'stored', plant: change.stored });
      const lines = [
        'Somebody else has changed it since you have seen it.',
        ...describe(valuesOf(plant), valuesOf(change.stored)),
      ];
      if (!(await askFirst(`Delete plant ${plant.id}?`, lines, 'Delete it anyway', 'Keep it'))) return false;
      plant = change.stored;
    }
  };

  /** `run` resolves to what was done, or to why it failed. */
  const runSteps = async (
    { title, noun, verb }: { readonly title: string; readonly noun: string; readonly verb: string },
    plants: readonly Plant[],
    run: (plant: Plant) => Promise<readonly Step[] | string>,
  ): Promise<void> => {
    const steps: Step[] = [];
    const outcome = await runJob({
      title,
      items: plants,
      idOf: ({ id }) => `${id}`,
      run: async (plant) => {
        const done = await run(plant);
        if (typeof done === 'string') return done;
        steps.push(...done);
        return undefined;
      },
    });
    keep(`the ${noun} of ${countOf(steps.length, 'plant')}`, steps);
    announce(`${verb} ${countOf(steps.length, 'plant')}.${wordsForFailures(outcome)}`);
    emit({ kind: 'many' });
  };

  /** Resolves to why it failed. */
  const runInverse = async (
    inverse: Inverse,
    restore: ReturnType<typeof createRestore>,
  ): Promise<string | undefined> => {
    const { id } = inverse.plant;
    if (inverse.kind === 'create') return restore(inverse.plant);
    const change =
      inverse.kind === 'delete'
        ? await deletePlant(access, id, inverse.seen)
        : await changePlant(access, id, inverse.seen, inverse.values);
    return change.kind === 'conflict' ? changedSince : undefined;
  };

  return {
    done,
    onEffect: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: async (id, seen, values) => {
      const change = await changePlant(access, id, seen, values);
      if (change.kind === 'conflict') return change;
      const { plant, before, others } = change;
      keep(`the change of plant ${id}`, stepsOf(before, plant));
      announce(`Saved plant ${id}.${wordsForOthers(others)}`);
      emit({ kind: 'stored', plant });
      return change;
    },
    create: async (id, values) => {
      await access.create(id, values);
      const { plant } = await access.read(id);
      keep(`the creation of plant ${id}`, [{ kind: 'created', plant }]);
      announce(`Created plant ${id}.`);
      emit({ kind: 'many' });
    },
    restoreValues: async (id, values) => {
      const stored = await access.read(id).catch((error) => {
        if (asProblem(error).status === 404) return undefined;
        throw error;
      });
      if (!stored) {
        await access.create(id, values);
        const { plant } = await access.read(id);
        keep(`the restoration of plant ${id}`, [{ kind: 'created', plant }]);
        emit({ kind: 'stored', plant });
      } else {
        const change = await changePlant(access, id, valuesOf(stored.plant), values);
        if (change.kind === 'conflict') throw new Problem({ status: 412 });
        keep(`the restoration of plant ${id}`, stepsOf(change.before, change.plant));
        emit({ kind: 'stored', plant: change.plant });
      }
      announce(`Restored plant ${id}.`);
    },
    restore: async (deleted) => {
      const { id } = deleted;
      const reason = await createRestore([deleted], importLines)(deleted);
      if (reason !== undefined) throw new Problem({ status: 409, message: reason });
      const { plant } = await access.read(id);
      keep(`the restoration of plant ${id}`, [{ kind: 'created', plant }]);
      announce(`Restored plant ${id}.`);
      emit({ kind: 'stored', plant });
    },
    setPicture: async (id, picture, seen) => {
      const show = async (): Promise<void> => emit({ kind: 'stored', plant: (await access.read(id)).plant });
      try {
        if (picture) await pictures.put(id, picture, seen);
        else if (seen) await pictures.remove(id, seen);
      } catch (error) {
        if (asProblem(error).status === 412) await show();
        throw error;
      }
      announce(`${picture ? 'Saved' : 'Removed'} the picture of plant ${id}.`);
      await show();
    },
    remove: async (seen) => {
      const lines = ['Its picture cannot be restored.'];
      if (seen.picture && !(await askFirst(`Delete plant ${seen.id}?`, lines, 'Delete it', 'Keep it'))) return false;
      return removeOne(seen);
    },
    changeMany: (title, plants, values) =>
      runSteps({ title, noun: 'change', verb: 'Changed' }, plants, async (plant) => {
        const change = await changePlant(access, plant.id, valuesOf(plant), values(plant));
        return change.kind === 'conflict' ? changedSince : stepsOf(change.before, change.plant);
      }),
    removeMany: (plants) =>
      runSteps({ title: 'Deleting', noun: 'deletion', verb: 'Deleted' }, plants, async (plant) => {
        const change = await deletePlant(access, plant.id, valuesOf(plant));
        return change.kind === 'conflict' ? changedSince : [{ kind: 'deleted', plant: change.before }];
      }),
    undo: async () => {
      const last = done.get().at(-1);
      if (!last) return;
      // First, so that it is not undone twice.
      done.update((all) => all.filter((one) => one !== last));
      const inverses = inversesOf(last);
      const deleted = inverses.filter(({ kind }) => kind === 'create').map(({ plant }) => plant);
      const restore = createRestore(deleted, importLines);
      const outcome = await runJob({
        title: 'Undoing',
        items: inverses,
        idOf: ({ plant }) => `${plant.id}`,
        run: (inverse) => runInverse(inverse, restore),
      });
      const left = new Set(outcome.untried.map(({ plant }) => plant.id));
      // What was not tried can be undone later.
      if (left.size > 0)
        keep(
          last.title,
          last.steps.filter((step) => left.has(idOf(step))),
        );
      announce(`Undid ${last.title}.${wordsForFailures(outcome)}`);
      emit({ kind: 'many' });
    },
  };
};

const stepsOf = (before: Plant, after: Plant): readonly Step[] =>
  before === after ? [] : [{ kind: 'changed', before, after }];

const idOf = (step: Step): bigint => (step.kind === 'changed' ? step.before.id : step.plant.id);
