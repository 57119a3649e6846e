/** What adapters of parsers share. */
import type { Problem } from '../../measure/abilities/lint.ts';
import { valueAt } from '../../measure/operation.ts';

/** The message of the error with which a promise rejects, as a problem without a place. */
export const problemsOfError = async (promise: Promise<unknown>): Promise<Problem[]> => {
  try {
    await promise;
    return [];
  } catch (error) {
    return [{ message: error instanceof Error ? error.message : `${error}` }];
  }
};

/** The values of a model that is made of plain objects. */
export const valuesAt = (model: unknown, pointers: readonly string[]): (string | null)[] =>
  pointers.map((pointer) => JSON.stringify(valueAt(model, pointer)) ?? null);
