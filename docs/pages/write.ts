/** Writes the pages that are made from the program: `bun run docs`. */
import { join } from 'node:path';
import { pages } from './pages.ts';

for (const [path, render] of Object.entries(pages))
  await Bun.write(join(import.meta.dir, '../..', path), await render());
