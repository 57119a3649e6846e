/** To write the document again with the same data, as a bundler or a formatter does. */
import { parse } from 'yaml';
import { type Check, type CheckResult, resultOf } from '../check.ts';
import { canonicalJson, exactJson } from '../exact-json.ts';
import { valueAt } from '../operation.ts';
import type { Session } from '../session.ts';

export interface RewriteCheck extends Check {
  /** A place in the document, and what it has there. */
  readonly pointer: string;
  readonly value: unknown;
}

/** The document that the tool writes, in YAML or JSON. */
export type Rewrite = (session: Session) => Promise<string>;

export const askRewrite = async (
  session: Session,
  rewrite: Rewrite,
  checks: readonly RewriteCheck[],
): Promise<CheckResult[]> => {
  const written: unknown = parse(await rewrite(session), { intAsBigInt: true });
  return checks.map((check) => {
    const expected = exactJson(check.value);
    const observed = exactJson(valueAt(written, check.pointer)) || 'nothing';
    const grade = canonicalJson(observed) === canonicalJson(expected) ? 'right' : 'wrong';
    return resultOf(session, check, { input: `${expected} at ${check.pointer}`, expected, observed, grade });
  });
};
