/** What the answers to a variant of a case say. */
import type { Variant } from './case.ts';
import type { CheckResult } from './check.ts';

/** A basic check that is right says nothing about the feature, and one that is not does not make the whole verdict wrong. */
export const answersToVariant = (all: readonly CheckResult[], { name }: Variant): CheckResult[] =>
  all
    .filter(({ isBasic, grade }) => !isBasic || grade !== 'right')
    .map((one) => ({ ...one, check: `${one.check}, ${name}`, isBasic: false }));
