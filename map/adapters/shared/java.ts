/** The driver of generated Java code, which is compiled with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exactJson } from '../../measure/exact-json.ts';
import { Refusal, type Session } from '../../measure/session.ts';
import { makeOnce } from './once.ts';

const drivers = ['./java/Driver.java', './java/Values.java'].map((path) => join(import.meta.dir, path));

/** Asks the client in `client/`. The packages that it imports are installed with the tool. */
export const askJava = async <Answer>(
  session: Session,
  questions: readonly unknown[],
): Promise<(Answer | undefined)[]> => {
  const { run, file, folder, installation } = session;
  const sources = [...new Bun.Glob('client/src/main/java/**/*.java').scanSync(folder)];
  const apis = sources.flatMap((path) => /\/api\/(\w+)\.java$/.exec(path)?.[1] ?? []);
  await Bun.write(file('questions.json'), exactJson(questions));
  // The program of a generator has its own copies of packages.
  const jars = readdirSync(installation.folder).filter((name) => name.endsWith('.jar') && !name.endsWith('-cli.jar'));
  const classPath = ['-cp', ['classes', ...jars.map((jar) => join(installation.folder, jar))].join(':')];
  const driver = drivers.map((path) => readFileSync(path, 'utf8')).join('\n');
  await makeOnce(session, 'classes', driver, async () => {
    const options = ['-parameters', '-nowarn', '-proc:none', '-d', 'classes', ...classPath];
    const { exitCode, text } = await run(['javac', ...options, ...sources, ...drivers], {
      isHidden: true,
      mayFail: true,
    });
    if (exitCode === 0) return;
    if (!/^client\/.*\.java:\d+: error/m.test(text)) throw new Error(text);
    throw new Refusal(`The compiler refuses the generated code: ${text}`, 'generated, does not load');
  });
  const { text } = await run(['java', '-XX:TieredStopAtLevel=1', ...classPath, 'Driver', ...apis], { isHidden: true });
  return text
    .split('\n')
    .filter((line) => line.startsWith('answer '))
    .map((line) => JSON.parse(line.slice('answer '.length)) ?? undefined);
};
