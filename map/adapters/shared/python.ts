/** Drivers in Python, in the environment in which the tool is installed. */
import { exactJson } from '../../measure/exact-json.ts';
import type { Session } from '../../measure/session.ts';

/**
 * Runs the driver, which defines `ask(question)`, and returns the answer to each question. Integers are exact. An error of the tool
 * is the answer `{ error }`, and `None` is undefined. An error of the driver stops the measurement.
 */
export const askPython = async <Answer>(
  session: Session,
  questions: readonly unknown[],
  driver: string,
): Promise<(Answer | undefined)[]> => {
  await Bun.write(session.file('questions.json'), exactJson(questions));
  await Bun.write(session.file('driver.py'), `${prelude}\n${driver}\n${main}`);
  const { text } = await session.run(['python3', 'driver.py'], { isHidden: true });
  return text
    .split('\n')
    .filter((line) => line.startsWith('answer '))
    .map((line) => JSON.parse(line.slice('answer '.length)) ?? undefined);
};

/** The name of a function for an operation. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/**
 * `is_of_driver(error)`: whether the driver has thrown it, or a function of the standard library that the driver called. A call with
 * arguments that a function of the tool does not have is one.
 */
const prelude = `
import sysconfig, traceback

def is_of_driver(error):
    library = sysconfig.get_paths()['stdlib']
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    # The compiler is no frame, but its error names the file that it refuses.
    files += [error.filename] if isinstance(error, SyntaxError) and error.filename else []
    files = [file for file in files if file[:1] != '<' and ('site-packages' in file or not file.startswith(library))]
    return files[-1:] == [is_of_driver.__code__.co_filename]
`;

const main = `
import json
for question in json.load(open('questions.json')):
    try:
        answer = ask(question)
    except Exception as error:
        if is_of_driver(error):
            raise
        answer = {'error': f'{type(error).__name__}: {error}'}
    print('answer ' + json.dumps(answer), flush=True)
`;
