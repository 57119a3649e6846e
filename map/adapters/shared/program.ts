/** Programs of producers: services of a few lines, which print their document. */
import type { Produce } from '../../measure/abilities/produce.ts';
import type { Session } from '../../measure/session.ts';
import { linkPackages } from './packages.ts';

/** The document is the line of the output that is an object of JSON. */
const documentIn = (text: string): string => {
  const line = text.split('\n').find((one) => one.startsWith('{"'));
  if (line === undefined) throw new Error(`The program prints no document: ${text}`);
  return line;
};

/** Each program prints its document on one line. */
export const runTypeScript =
  (programs: Readonly<Record<string, string>>): Produce =>
  async (session, program) => {
    const source = programs[program];
    if (source === undefined) return undefined;
    linkPackages(session);
    await Bun.write(session.file('service.ts'), source);
    return documentIn((await session.run(['bun', 'service.ts'])).text);
  };

export const runPython =
  (programs: Readonly<Record<string, string>>): Produce =>
  async (session: Session, program) => {
    const source = programs[program];
    if (source === undefined) return undefined;
    await Bun.write(session.file('service.py'), source);
    return documentIn((await session.run(['python3', 'service.py'])).text);
  };
