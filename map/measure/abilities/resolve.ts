/** To have a model of the document with a value at a place, once references are resolved. */
import { type Check, type CheckResult, resultOf } from '../check.ts';
import { canonicalJson, exactJson } from '../exact-json.ts';
import type { Session } from '../session.ts';

export interface ResolveCheck extends Check {
  /** A place in the document without references: each is replaced by what it leads to. */
  readonly pointer: string;
  readonly value: unknown;
  /** The value of a tool that ignores the feature, beside none at all. */
  readonly ignored?: unknown;
}

/** The value at each pointer as JSON, or null where the model has none, or undefined where it cannot be asked. */
export type Resolve = (
  session: Session,
  pointers: readonly string[],
) => Promise<readonly (string | null | undefined)[]>;

export const askResolve = async (
  session: Session,
  resolve: Resolve,
  checks: readonly ResolveCheck[],
): Promise<CheckResult[]> => {
  const answers = await resolve(
    session,
    checks.map(({ pointer }) => pointer),
  );
  return checks.flatMap((check, index) => {
    const answer = answers[index];
    if (answer === undefined) return [];
    const is = (expected: unknown) => answer !== null && canonicalJson(answer) === canonicalJson(exactJson(expected));
    const isIgnored = answer === null || (check.ignored !== undefined && is(check.ignored));
    const graded = {
      input: `the value at ${check.pointer}`,
      expected: exactJson(check.value),
      observed: answer ?? 'nothing',
      grade: is(check.value) ? ('right' as const) : isIgnored ? ('ignored' as const) : ('wrong' as const),
    };
    return [resultOf(session, check, graded)];
  });
};
