/** Is preloaded before a peer on Bun, and replaces a text in one of its files, for the tests of the checks. Its arguments: FILE FROM TO. */
import { join } from 'node:path';
import { plugin } from 'bun';

const [file = '', from = '', to = ''] = process.argv.slice(2);
const path = join(import.meta.dir, '../..', file);
plugin({
  name: 'mutate',
  setup: (build) => {
    build.onLoad({ filter: new RegExp(RegExp.escape(path)) }, async () => {
      const text = await Bun.file(path).text();
      if (!text.includes(from)) throw new Error(`${file} does not have ${from}`);
      return { contents: text.replace(from, to), loader: 'ts' };
    });
  },
});
