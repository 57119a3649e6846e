/** `bun run generate`: writes all files that are made from the program, the README and the results of the map. */
import { join } from 'node:path';
import { pages } from './pages.ts';

for (const [path, render] of Object.entries(pages))
  await Bun.write(join(import.meta.dir, '../..', path), await render());
