/** To report a mistake in the document at its place, and nothing about the document without the mistake. */
import { type Check, type CheckResult, type Grade, resultOf } from '../check.ts';
import { type Document, withValue } from '../operation.ts';
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
  for (const [name, text] of filesOfLint(session.document, checks)) await Bun.write(session.file(name), text);
  // One after the other, so that the evidence of each has its own command.
  const ask = async (question: LintQuestion) => {
    session.commands.length = 0;
    const [problems] = await lint(session, [question]);
    return problems;
  };
  const unchanged = (await ask({ file: 'openapi.json' })) ?? [];
  const clean = resultOf(
    session,
    { check: 'the valid document', isBasic: true },
    {
      input: 'openapi.json',
      expected: 'no error',
      observed: unchanged.length === 0 ? 'no error' : 'an error',
      line: unchanged[0]?.message,
      grade: unchanged.length === 0 ? 'right' : 'wrong',
    },
  );
  const commands = [...session.commands];
  const results = [clean];
  for (const [index, check] of checks.entries()) {
    const problems = await ask({ file: mistakeFile(index), level: check.level });
    if (problems !== undefined) results.push(resultOf(session, check, gradeProblems(check, unchanged, problems)));
  }
  session.commands.splice(0, Infinity, ...commands);
  return results;
};

const mistakeFile = (index: number): string => `mistake-${index + 1}.json`;

/** A document for each mistake. */
export const filesOfLint = (document: Document, checks: readonly LintCheck[]): [name: string, text: string][] =>
  checks.map(({ pointer, value }, index) => [
    mistakeFile(index),
    JSON.stringify(withValue(document, pointer, value), null, 2),
  ]);

const gradeProblems = (check: LintCheck, unchanged: readonly Problem[], problems: readonly Problem[]) => {
  const isKnown = ({ pointer, message }: Problem) =>
    unchanged.some((other) => other.pointer === pointer && other.message === message);
  const reported = problems.filter((problem) => !isKnown(problem));
  const found = reported.find((problem) => isAround(check, problem));
  const first = found ?? reported[0];
  const isClean = problems.length === 0;
  const grade: Grade = found ? 'right' : first ? 'wrong' : 'ignored';
  return {
    input: `${JSON.stringify(check.value) ?? 'nothing'} at ${check.pointer}`,
    expected: 'an error there',
    observed: found
      ? 'an error there'
      : first
        ? `an error at ${first.pointer}`
        : isClean
          ? 'no error'
          : 'no other error',
    line: first?.message,
    grade,
  };
};

/** Whether a problem is reported at the mistake, in it, or around it. */
const isAround = ({ pointer, at = [pointer] }: LintCheck, problem: Problem): boolean =>
  problem.pointer === undefined ||
  at.some((place) => `${place}/`.startsWith(`${problem.pointer}/`) || `${problem.pointer}/`.startsWith(`${place}/`));
