/** The console as one JSON, since all runtimes and the binary can import that. */
import { join } from 'node:path';

const folder = join(import.meta.dir, '../../console');

export const renderConsole = async (): Promise<string> => {
  const read = (name: string): Promise<string> => Bun.file(join(folder, name)).text();
  const page = { html: await read('page.html'), style: await read('style.css'), script: await script() };
  return `${JSON.stringify(page, null, 2)}\n`;
};

const script = async (): Promise<string> => {
  const { outputs } = await buildConsole();
  const [output] = outputs;
  if (output === undefined) throw new Error('The script has no output.');
  return output.text();
};

/** `release/licences.ts` has the licences of the packages in it. */
export const buildConsole = () =>
  Bun.build({
    entrypoints: [join(folder, 'main.tsx')],
    format: 'iife',
    target: 'browser',
    minify: true,
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
