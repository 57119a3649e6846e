/** Validators and parsers in Go. `validator.go` has the main function, and the file of the tool what it calls. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Lint } from '../../measure/abilities/lint.ts';
import type { Judgement, Validate } from '../../measure/abilities/validate.ts';
import { exactJson } from '../../measure/exact-json.ts';
import { Refusal, type Session } from '../../measure/session.ts';

const main = join(import.meta.dir, 'validator.go');

type Answer = Judgement | { readonly refusal: string } | null;

/** Builds the driver in the module of the tool, and asks it in the folder of the session. */
const askGo = async (session: Session, source: string, mode: string, questions: unknown): Promise<string> => {
  const folder = join(session.installation.folder, 'driver');
  mkdirSync(folder, { recursive: true });
  copyFileSync(main, join(folder, 'main.go'));
  copyFileSync(source, join(folder, 'tool.go'));
  const build = ['build', '-C', folder, '-mod=mod', '-o', session.file('driver'), '.'];
  await session.run(['go', ...build], { isHidden: true });
  await Bun.write(session.file('questions.json'), exactJson(questions));
  const { text } = await session.run([session.file('driver'), mode], { isHidden: true });
  return text.slice(text.indexOf('answers ') + 'answers '.length);
};

export const validateByGo =
  (source: string): Validate =>
  async (session, questions) => {
    const answers: Answer[] = JSON.parse(await askGo(session, source, 'validate', questions));
    return answers.map((answer) => {
      if (answer !== null && 'refusal' in answer) throw new Refusal(answer.refusal);
      return answer ?? undefined;
    });
  };

/** The problems of documents, without a place. Levels that the tool does not promise are not asked. */
export const lintByGo =
  (source: string, levels: readonly string[]): Lint =>
  async (session, questions) => {
    const answers: string[] = JSON.parse(
      await askGo(
        session,
        source,
        'lint',
        questions.map(({ file }) => file),
      ),
    );
    return questions.map(({ level = 'document' }, index) => {
      if (!levels.includes(level)) return undefined;
      const message = answers[index] ?? '';
      return message === '' ? [] : [{ message }];
    });
  };

/** The value at each pointer of the model as JSON, or null. */
export const resolveByGo =
  (source: string) =>
  async (session: Session, pointers: readonly string[]): Promise<(string | null)[]> => {
    const answers: { values: unknown[]; refusal: string } = JSON.parse(
      await askGo(session, source, 'resolve', pointers),
    );
    if (answers.refusal !== '') throw new Refusal(answers.refusal);
    return answers.values.map((value) => (value === null ? null : JSON.stringify(value)));
  };
