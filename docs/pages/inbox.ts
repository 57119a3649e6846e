/** The page of the inbox as one JSON, since all runtimes and the binary can import that. */
import { join } from 'node:path';

const folder = join(import.meta.dir, '../../src/demo/inbox/client');

export const renderInbox = async (): Promise<string> => {
  const read = (name: string): Promise<string> => Bun.file(join(folder, name)).text();
  const page = { html: await read('page.html'), style: await read('style.css'), script: await script() };
  return `${JSON.stringify(page, null, 2)}\n`;
};

const script = async (): Promise<string> => {
  const entrypoints = [join(folder, 'main.ts')];
  const { outputs } = await Bun.build({ entrypoints, format: 'iife', target: 'browser' });
  const [output] = outputs;
  if (output === undefined) throw new Error('The script has no output.');
  return output.text();
};
