/** What this page has done, so that it can be undone while the page is open. The last one is undone first. */
import { type Plant, type Values, valuesOf } from './members.ts';

/** One change of a plant. */
export type Step =
  | { readonly kind: 'created'; readonly plant: Plant }
  | { readonly kind: 'changed'; readonly before: Plant; readonly after: Plant }
  | { readonly kind: 'deleted'; readonly plant: Plant };

/** What the user has done at once. */
export interface Done {
  /** Such as `the deletion of 300 plants`. */
  readonly title: string;
  readonly steps: readonly Step[];
}

/** How a step is undone. `seen` are the values that the plant must still have. */
export type Inverse =
  | { readonly kind: 'delete'; readonly plant: Plant; readonly seen: Values }
  | { readonly kind: 'change'; readonly plant: Plant; readonly seen: Values; readonly values: Values }
  | { readonly kind: 'create'; readonly plant: Plant };

export const remember = (done: readonly Done[], one: Done): readonly Done[] =>
  one.steps.length === 0 ? done : [...done.slice(1 - doneMax), one];

/** Earlier ones cannot be undone. */
export const doneMax = 100;

/** The last step first. */
export const inversesOf = ({ steps }: Done): readonly Inverse[] => steps.toReversed().map(inverseOf);

const inverseOf = (step: Step): Inverse => {
  switch (step.kind) {
    case 'created':
      return { kind: 'delete', plant: step.plant, seen: valuesOf(step.plant) };
    case 'changed':
      return { kind: 'change', plant: step.before, seen: valuesOf(step.after), values: valuesOf(step.before) };
    case 'deleted':
      return { kind: 'create', plant: step.plant };
  }
};
