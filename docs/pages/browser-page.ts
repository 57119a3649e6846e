/** A page for browsers as one JSON, since all runtimes and the binary can import that. */
import { join } from 'node:path';

/** The page of this folder, with the output of `Bun.build` as its script. */
export const renderBrowserPage = async (folder: string, { outputs: [script] }: Bun.BuildOutput): Promise<string> => {
  if (script === undefined) throw new Error('The script has no output.');
  const read = (path: string): Promise<string> => Bun.file(path).text();
  const page = {
    html: await read(join(folder, 'page.html')),
    style: (await read(colors)) + (await read(join(folder, 'style.css'))),
    script: await script.text(),
  };
  return `${JSON.stringify(page, null, 2)}\n`;
};

const colors = join(import.meta.dir, '../../src/pages/colors.css');
