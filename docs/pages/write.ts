/** Writes the files that are made from the program and the README: `bun run docs`. */
import { join } from 'node:path';
import { pages } from './pages.ts';

for (const [path, render] of Object.entries(pages))
  await Bun.write(join(import.meta.dir, '../..', path), await render());
