/** Drivers in Python, in the environment in which the tool is installed. */
import { exactJson } from '../../map/exact-json.ts';
import type { Session } from '../../map/session.ts';

/**
 * Runs the driver, which defines `ask(question)`, and returns the answer to each question. Integers are exact. Anything that `ask` throws is
 * the answer `{ error }`, and `None` is undefined.
 */
export const askPython = async <Answer>(
  session: Session,
  questions: readonly unknown[],
  driver: string,
): Promise<(Answer | undefined)[]> => {
  await Bun.write(session.file('questions.json'), exactJson(questions));
  await Bun.write(session.file('driver.py'), `${driver}\n${main}`);
  const { text } = await session.run(['python3', 'driver.py'], { isHidden: true });
  return text
    .split('\n')
    .filter((line) => line.startsWith('answer '))
    .map((line) => JSON.parse(line.slice('answer '.length)) ?? undefined);
};

/** The name of a function for an operation. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

const main = `
import json
for question in json.load(open('questions.json')):
    try:
        answer = ask(question)
    except Exception as error:
        answer = {'error': f'{type(error).__name__}: {error}'}
    print('answer ' + json.dumps(answer), flush=True)
`;
