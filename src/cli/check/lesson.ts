/** The exercises of the lessons. `exercises.json` is generated from `docs/learn/exercises.yaml`. */
import type { Members } from '../../base/json-pointer.ts';
import { type Answer, lineOfValue, noteOnSchemas, reasonsAgainst, withDocument } from './check.ts';
import type { OpenApi } from './document.ts';
import exercises from './exercises.json' with { type: 'json' };
import { follow } from './follow.ts';

interface Exercise {
  readonly title: string;
  readonly hint: string;
  readonly checks: readonly Check[];
}

/** A claim, and what makes it true: a schema accepts or refuses a value, or a part of the document matches a schema. */
type Check = { readonly says: string } & (
  | { readonly schema: string; readonly accepts: unknown }
  | { readonly schema: string; readonly refuses: unknown }
  | { readonly at: string; readonly is: Members }
);

const byNumber: Readonly<Record<string, Exercise>> = exercises;

/** Whether the exercise of a lesson is done in a document: each claim with ✓ or ✗, and a hint if one is not true. */
export const checkLesson = async (number: string, text: string): Promise<Answer> => {
  const exercise = Object.hasOwn(byNumber, number) ? byNumber[number] : undefined;
  const last = Object.keys(byNumber).length;
  if (exercise === undefined) return { outcome: 'misused', lines: [`--lesson must be a number from 1 to ${last}.`] };
  const title = `Lesson ${number}: ${exercise.title}`;
  const { outcome, lines } = await withDocument(text, async (openapi) => {
    const answers: (readonly string[])[] = [];
    for (const check of exercise.checks) answers.push(await failuresOf(check, openapi));
    const isDone = answers.every((failures) => failures.length === 0);
    return {
      outcome: isDone ? 'right' : 'wrong',
      lines: [
        `✓ The document is valid${noteOnSchemas(openapi)}.`,
        ...exercise.checks.flatMap(({ says }, index) => linesOf(says, answers[index] ?? [])),
        isDone ? `Lesson ${number} is done.` : `Hint: ${exercise.hint}`,
      ],
    };
  });
  const isRead = lines[0]?.startsWith('✓');
  return { outcome, lines: [title, ...(isRead ? lines : [`✗ The document is ${lines[0]}`, ...lines.slice(1)])] };
};

const linesOf = (says: string, failures: readonly string[]): string[] =>
  failures.length === 0 ? [`✓ ${says}.`] : [`✗ ${says}. This is not so:`, ...failures];

/** Why the claim is not true, in lines. */
const failuresOf = async (check: Check, openapi: OpenApi): Promise<string[]> => {
  const place = 'at' in check ? check.at : check.schema;
  const found = follow(openapi.value, place);
  if (found === undefined) return [`  The document has nothing at ${place}.`];
  if ('at' in check)
    return (await reasonsAgainst(claimed(check.is), '/components/schemas/claim', found.value)).map(
      ({ pointer, words }) => `  ${place}${pointer} ${words}.`,
    );
  if ('accepts' in check) return (await reasonsAgainst(openapi, found.pointer, check.accepts)).map(lineOfValue);
  const reasons = await reasonsAgainst(openapi, found.pointer, check.refuses);
  return reasons.length > 0 ? [] : ['  It matches.'];
};

/** A document with this schema. */
const claimed = (schema: Members): OpenApi => ({
  value: { components: { schemas: { claim: schema } } },
  version: '3.1',
  lineAt: () => 1,
});
