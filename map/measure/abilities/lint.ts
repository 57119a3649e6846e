/** To report a mistake in the document at its place, and nothing about the document without the mistake. */
import { type Check, type CheckResult, type Grade, resultOf } from '../check.ts';
import { withValue } from '../operation.ts';
import type { Session } from '../session.ts';

/** A mistake that only a tool which knows the feature can report. */
export interface LintCheck extends Check {
  readonly level: LintLevel;
  /** Where the mistake is put. */
  readonly pointer: string;
  /** Undefined takes away what is there. */
  readonly value: unknown;
  /** Where the report may be, if not around the pointer. */
  readonly at?: readonly string[];
}

/**
 * What must be read to find the mistake: the official schema of OpenAPI documents, the keywords of JSON Schema, an example and its schema,
 * or a reference and its target.
 */
export type LintLevel = 'document' | 'schema' | 'example' | 'reference';

export interface LintQuestion {
  /** A document in JSON in the folder of the session. */
  readonly file: string;
  /** Absent for the document without a mistake. */
  readonly level?: LintLevel;
}

export interface Problem {
  /** Absent if the tool does not say where. */
  readonly pointer?: string;
  readonly message: string;
}

/**
 * The problems of each document. Only errors count, not questions of style. Undefined where the tool does not promise to find mistakes of
 * that level.
 */
export type Lint = (
  session: Session,
  questions: readonly LintQuestion[],
) => Promise<readonly (readonly Problem[] | undefined)[]>;

export const askLint = async (session: Session, lint: Lint, checks: readonly LintCheck[]): Promise<CheckResult[]> => {
  const mistakes = checks.map(({ level }, index) => ({ file: `mistake-${index + 1}.json`, level }));
  for (const [index, { pointer, value }] of checks.entries()) {
    const document = JSON.stringify(withValue(session.document, pointer, value), null, 2);
    await Bun.write(session.file(`mistake-${index + 1}.json`), document);
  }
  const [unchanged = [], ...changed] = await lint(session, [{ file: 'openapi.json' }, ...mistakes]);
  const clean = resultOf(
    session,
    { check: 'the valid document', isBasic: true },
    {
      input: 'openapi.yaml',
      expected: 'no error',
      observed: unchanged.length === 0 ? 'no error' : 'an error',
      line: unchanged[0]?.message,
      grade: unchanged.length === 0 ? 'right' : 'wrong',
    },
  );
  const graded = checks.flatMap((check, index) => {
    const problems = changed[index];
    return problems === undefined ? [] : [resultOf(session, check, gradeProblems(check, unchanged, problems))];
  });
  return [clean, ...graded];
};

const gradeProblems = (check: LintCheck, unchanged: readonly Problem[], problems: readonly Problem[]) => {
  const isKnown = ({ pointer, message }: Problem) =>
    unchanged.some((other) => other.pointer === pointer && other.message === message);
  const reported = problems.filter((problem) => !isKnown(problem));
  const found = reported.find((problem) => isAround(check, problem));
  const first = found ?? reported[0];
  const grade: Grade = found ? 'right' : first ? 'wrong' : 'ignored';
  return {
    input: `${JSON.stringify(check.value) ?? 'nothing'} at ${check.pointer}`,
    expected: 'an error there',
    observed: found ? 'an error there' : first ? `an error at ${first.pointer}` : 'no error',
    line: first?.message,
    grade,
  };
};

/** Whether a problem is reported at the mistake, in it, or around it. */
const isAround = ({ pointer, at = [pointer] }: LintCheck, problem: Problem): boolean =>
  problem.pointer === undefined ||
  at.some((place) => `${place}/`.startsWith(`${problem.pointer}/`) || `${problem.pointer}/`.startsWith(`${place}/`));
