/** To report a change between two versions of a document, and none between a document and itself. */
import { type Check, type CheckResult, type Grade, resultOf } from '../check.ts';
import { type Document, withValue } from '../operation.ts';
import type { Session } from '../session.ts';

export interface DiffCheck extends Check {
  /** What changes. */
  readonly pointer: string;
  /** Undefined takes away what is there. */
  readonly value: unknown;
  /** What was a valid request is refused after the change, so that it must be reported as breaking. */
  readonly isBreaking?: boolean;
}

export type Reported = 'a breaking change' | 'a change' | 'no change';

export interface DiffQuestion {
  /** Two documents in JSON in the folder of the session. */
  readonly before: string;
  readonly after: string;
}

export type Diff = (session: Session, questions: readonly DiffQuestion[]) => Promise<readonly Reported[]>;

export const askDiff = async (session: Session, diff: Diff, checks: readonly DiffCheck[]): Promise<CheckResult[]> => {
  const before = 'openapi.json';
  for (const [name, text] of filesOfDiff(session.document, checks)) await Bun.write(session.file(name), text);
  // One after the other, so that the evidence of each has its own command.
  const ask = async (after: string) => {
    session.commands.length = 0;
    const [answer] = await diff(session, [{ before, after }]);
    return answer;
  };
  const unchanged = await ask(before);
  const same = { check: 'the document and itself', isBasic: true };
  const graded = {
    input: 'openapi.json and openapi.json',
    expected: 'no change',
    observed: unchanged ?? 'no answer',
    grade: unchanged === 'no change' ? ('right' as const) : ('wrong' as const),
  };
  const commands = [...session.commands];
  const results = [resultOf(session, same, graded)];
  for (const [index, check] of checks.entries())
    results.push(resultOf(session, check, gradeChange(check, await ask(changedFile(index)))));
  session.commands.splice(0, Infinity, ...commands);
  return results;
};

const changedFile = (index: number): string => `changed-${index + 1}.json`;

/** A document for each change. */
export const filesOfDiff = (document: Document, checks: readonly DiffCheck[]): [name: string, text: string][] =>
  checks.map(({ pointer, value }, index) => [
    changedFile(index),
    JSON.stringify(withValue(document, pointer, value), null, 2),
  ]);

const gradeChange = ({ pointer, value, isBreaking = false }: DiffCheck, observed: Reported = 'no change') => {
  const isRight = isBreaking ? observed === 'a breaking change' : observed !== 'no change';
  const grade: Grade = isRight ? 'right' : observed === 'no change' ? 'ignored' : 'wrong';
  return {
    input: `${JSON.stringify(value) ?? 'nothing'} at ${pointer}`,
    expected: isBreaking ? 'a breaking change' : 'a change',
    observed,
    grade,
  };
};
