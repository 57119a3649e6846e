/** What a user does with plants, from every view: each action is announced, can be undone while the page is open, and is shown in the lists. */
import type { Api } from '../api/api.ts';
import { runJob } from '../jobs/jobs.tsx';
import { announce } from '../parts/announcer.tsx';
import { ask } from '../parts/question.tsx';
import { createStore, type Store } from '../parts/store.ts';
import { countOf } from '../parts/text.tsx';
import { type Change, changePlant, deletePlant } from './change.ts';
import { type MemberName, members, type Plant, type Values, valuesOf } from './members.ts';
import { accessTo } from './plant.ts';
import { type Done, type Inverse, inversesOf, remember, type Step } from './undo.ts';

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
  /** Creates a plant again that was deleted. */
  restore(plant: Plant): Promise<void>;
  /** Asks if the plant is another one than the user has seen. Resolves to whether it is deleted. */
  remove(seen: Plant): Promise<boolean>;
  changeMany(title: string, plants: readonly Plant[], values: (plant: Plant) => Values): Promise<void>;
  removeMany(plants: readonly Plant[]): Promise<void>;
  /** Undoes what was done last. */
  undo(): Promise<void>;
}

export const createActions = (api: Api): PlantActions => {
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
      const answer = await ask({
        title: `Delete plant ${plant.id}?`,
        lines: [
          'Somebody else has changed it since you have seen it.',
          ...describe(valuesOf(plant), valuesOf(change.stored)),
        ],
        answers: ['Delete it anyway', 'Keep it'],
        isDangerous: true,
      });
      if (answer !== 'Delete it anyway') return false;
      plant = change.stored;
    }
  };

  /** Resolves to why it failed. */
  const runInverse = async (inverse: Inverse): Promise<string | undefined> => {
    const { id } = inverse.plant;
    if (inverse.kind === 'create') {
      await access.create(id, valuesOf(inverse.plant));
      return undefined;
    }
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
      keep(`the change of plant ${id}`, before === plant ? [] : [{ kind: 'changed', before, after: plant }]);
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
    restore: async ({ id, ...values }) => {
      await access.create(id, valuesOf(values));
      const { plant } = await access.read(id);
      keep(`the restoration of plant ${id}`, [{ kind: 'created', plant }]);
      announce(`Restored plant ${id}.`);
      emit({ kind: 'stored', plant });
    },
    remove: removeOne,
    changeMany: async (title, plants, values) => {
      const steps: Step[] = [];
      const outcome = await runJob({
        title,
        items: plants,
        idOf: ({ id }) => `${id}`,
        run: async (plant) => {
          const change = await changePlant(access, plant.id, valuesOf(plant), values(plant));
          if (change.kind === 'conflict') return changedSince;
          if (change.before !== change.plant)
            steps.push({ kind: 'changed', before: change.before, after: change.plant });
          return undefined;
        },
      });
      keep(`the change of ${countOf(steps.length, 'plant')}`, steps);
      announce(`Changed ${countOf(steps.length, 'plant')}.${wordsForFailures(outcome)}`);
      emit({ kind: 'many' });
    },
    removeMany: async (plants) => {
      const steps: Step[] = [];
      const outcome = await runJob({
        title: 'Deleting',
        items: plants,
        idOf: ({ id }) => `${id}`,
        run: async (plant) => {
          const change = await deletePlant(access, plant.id, valuesOf(plant));
          if (change.kind === 'conflict') return changedSince;
          steps.push({ kind: 'deleted', plant: change.before });
          return undefined;
        },
      });
      keep(`the deletion of ${countOf(steps.length, 'plant')}`, steps);
      announce(`Deleted ${countOf(steps.length, 'plant')}.${wordsForFailures(outcome)}`);
      emit({ kind: 'many' });
    },
    undo: async () => {
      const last = done.get().at(-1);
      if (!last) return;
      // First, so that it is not undone twice.
      done.update((all) => all.filter((one) => one !== last));
      const outcome = await runJob({
        title: 'Undoing',
        items: inversesOf(last),
        idOf: ({ plant }) => `${plant.id}`,
        run: runInverse,
      });
      const left = new Set([...outcome.untried].map(({ plant }) => plant.id));
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

const idOf = (step: Step): bigint => (step.kind === 'changed' ? step.before.id : step.plant.id);

const changedSince = 'Somebody else has changed it in the meantime. Nothing was overwritten.';

const titleOf = (name: MemberName): string => members.find((one) => one.name === name)?.title.toLowerCase() ?? name;

const wordsForOthers = (others: readonly MemberName[]): string =>
  others.length === 0 ? '' : ` Somebody else has changed ${others.map(titleOf).join(' and ')}, which stays.`;

const wordsForFailures = ({
  failures,
  untried,
}: {
  readonly failures: readonly unknown[];
  readonly untried: readonly unknown[];
}) =>
  failures.length + untried.length === 0 ? '' : ` ${failures.length} failed, and ${untried.length} were not tried.`;

/** What differs between what the user has seen and what is stored. */
const describe = (seen: Values, stored: Values): readonly string[] =>
  members
    .filter(({ name }) => seen[name] !== stored[name])
    .map(({ name, title }) => `${title}: ${seen[name] ?? 'none'} → ${stored[name] ?? 'none'}`);
