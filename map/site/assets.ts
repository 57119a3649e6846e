/** The style, the script, the font and the icon of the site. */
import { join } from 'node:path';

export const assetFiles = async (): Promise<[string, string | Uint8Array<ArrayBuffer>][]> => [
  ['assets/site.css', await style()],
  ['assets/site.js', await script()],
  ['assets/inter.woff2', await Bun.file(font).bytes()],
  ['assets/icon.svg', await Bun.file(join(import.meta.dir, 'style/icon.svg')).text()],
];

/** Inter's Latin letters in all weights, 48 KB. */
const font = Bun.fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

/** In this order, as they are written: a bundler would replace what old browsers lack, with another specificity. */
const style = async (): Promise<string> => {
  const names = ['base', 'page', 'lesson', 'verdict', 'matrix', 'print'];
  const texts = await Promise.all(names.map((name) => Bun.file(join(import.meta.dir, `style/${name}.css`)).text()));
  return texts.join('\n');
};

/** One classic script: a browser loads no module from a file. */
const script = async (): Promise<string> => {
  const entrypoints = [join(import.meta.dir, 'client/site.ts')];
  const { outputs } = await Bun.build({ entrypoints, minify: true, format: 'iife', target: 'browser' });
  const [output] = outputs;
  if (output === undefined) throw new Error('The script has no output.');
  return output.text();
};
