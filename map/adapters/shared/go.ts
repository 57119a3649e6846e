/** Drivers of generated Go code. They are compiled in the module in which the tool is installed. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CallAnswer, CallQuestion } from '../../measure/abilities/call.ts';
import type { TypeQuestion } from '../../measure/abilities/type-check.ts';
import type { Judgement } from '../../measure/abilities/validate.ts';
import { exactJson } from '../../measure/exact-json.ts';
import { Refusal, type Session } from '../../measure/session.ts';
import { textOfFiles } from './code.ts';

/** The generated code is the package `client`, in the folder of that name. */
export const callGo = (session: Session, questions: readonly CallQuestion[], driver: string) => {
  const asked = questions.map((question) => ({
    ...question,
    pathNames: [...question.template.matchAll(/\{(.*?)\}/g)].map(([, name]) => name),
  }));
  return askGo<CallAnswer>(session, asked, driver);
};

/** Whether a type holds exactly the value. A question whose type has no name is not asked. */
export const judgeByGo = async (
  session: Session,
  questions: readonly TypeQuestion[],
  driver: string,
  typeOf: (question: TypeQuestion) => string | undefined,
): Promise<(Judgement | undefined)[]> => {
  const types = questions.map(typeOf);
  const asked = questions.map(({ literal: body }, index) => ({ type: types[index] ?? ' ', body }));
  const answers = await askGo<Judgement>(session, asked, driver);
  return answers.map((answer, index) =>
    types[index] === undefined ? undefined : (answer ?? { isAccepted: false, isMissing: true }),
  );
};

const askGo = async <Answer>(session: Session, questions: readonly unknown[], driver: string) => {
  const { file, run, installation } = session;
  const names = [...(await textOfFiles(session, 'client/*.go')).matchAll(/^type ([A-Z]\w*) /gm)].map(
    ([, name]) => name,
  );
  const types = names.map((name) => `\t"${name}": func() any { return new(client.${name}) },`);
  await Bun.write(
    file('types.go'),
    `package main\n\nimport "map/client"\n\nvar types = map[string]func() any{\n${types.join('\n')}\n}\n\nvar _ client.${names[0]}\n`,
  );
  await Bun.write(file('questions.json'), exactJson(questions));
  for (const path of [join(import.meta.dir, 'go/main.go'), driver])
    await Bun.write(file(path.split('/').at(-1) ?? ''), Bun.file(path));
  for (const name of readdirSync(installation.folder).filter((one) => one.startsWith('go.')))
    await Bun.write(file(name), Bun.file(join(installation.folder, name)));
  const built = await run(['go', 'build', '-mod=mod', './client'], { isHidden: true, mayFail: true });
  // A module that cannot be resolved is no fault of the generated code.
  if (built.exitCode !== 0 && !/^client\/.*\.go:\d+/m.test(built.text))
    throw new Error(`go build failed: ${built.text}`);
  if (built.exitCode !== 0)
    throw new Refusal(`The compiler refuses the generated code: ${built.text}`, 'generated, does not load');
  const { text } = await run(['go', 'run', '-mod=mod', '.'], { isHidden: true });
  return text
    .split('\n')
    .filter((line) => line.startsWith('answer '))
    .map((line): Answer | undefined => JSON.parse(line.slice('answer '.length)) ?? undefined);
};
