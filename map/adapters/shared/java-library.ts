/** Drivers of libraries in Java: a file of source code that prints an answer to each question. */
import { exactJson } from '../../measure/exact-json.ts';
import type { Session } from '../../measure/session.ts';

export const runJava = async <Answer>(
  { run, file, installation }: Session,
  questions: readonly unknown[],
  driver: string,
): Promise<(Answer | null)[]> => {
  await Bun.write(file('questions.json'), exactJson(questions));
  const command = ['java', '-XX:TieredStopAtLevel=1', '-cp', `${installation.folder}/*`, driver];
  const { text } = await run(command, { isHidden: true });
  return text
    .split('\n')
    .filter((line) => line.startsWith('answer '))
    .map((line) => JSON.parse(line.slice('answer '.length)));
};
