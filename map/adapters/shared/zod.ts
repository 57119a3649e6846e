/** Schemas of zod that a generator writes, run in a process of their own. */
import type { Judgement, ValidateQuestion } from '../../measure/abilities/validate.ts';
import { Refusal, type Session } from '../../measure/session.ts';
import { isAboutHeaders } from './body.ts';
import { linkPackages } from './packages.ts';

export interface ZodSchemas {
  /** Imports of the generated code, which is in the folder of the session. */
  readonly imports: string;
  /** An expression for the schema of the body. Its value may be undefined. */
  readonly schemaOf: (question: ValidateQuestion) => string;
  /** The schemas of int64 are of bigints, so that a caller does not round what a double cannot hold. */
  readonly hasBigints?: boolean;
}

/** Only bodies of JSON are asked. Generated code that does not load is a Refusal. */
export const judgeInProcess = async (
  session: Session,
  questions: readonly ValidateQuestion[],
  { imports, schemaOf, hasBigints = false }: ZodSchemas,
): Promise<(Judgement | undefined)[]> => {
  linkPackages(session);
  const lines = questions.flatMap((question, index) => {
    const { body, contentType } = question;
    return body === undefined || !/[/+]json$/.test(contentType) || isAboutHeaders(question, questions)
      ? []
      : [`judge(${index}, ${schemaOf(question)}, ${JSON.stringify(body)}, ${hasBigints});`];
  });
  await Bun.write(session.file('judge.ts'), [imports, driver, ...lines].join('\n'));
  const { text, exitCode } = await session.run([process.execPath, 'judge.ts'], { isHidden: true, mayFail: true });
  if (exitCode !== 0) throw new Refusal(`The generated code does not run: ${text}`, 'generated, does not load');
  const answers = new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('answer '))
      .map((line): [number, Judgement] => {
        const { index, ...answer } = JSON.parse(line.slice('answer '.length));
        return [index, answer];
      }),
  );
  return questions.map((_, index) => answers.get(index));
};

const driver = `
const exact = (_, value, { source } = {}) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\\d+$/.test(source) ? BigInt(source) : value;
const judge = (index, schema, body, hasBigints) => {
  if (schema === undefined) {
    console.log('answer ' + JSON.stringify({ index, isAccepted: true, isMissing: true }));
    return;
  }
  const { success, error } = schema.safeParse(JSON.parse(body, hasBigints ? exact : undefined));
  const line = error?.issues.map(({ path, message }) => path.join('.') + ': ' + message).join('; ');
  console.log('answer ' + JSON.stringify({ index, isAccepted: success, line }));
};
`;
