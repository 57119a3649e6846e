/** Writes the type of the app, as the npm package has it, for the compiler of `console/`: it cannot check the program beside a page. */
import { join } from 'node:path';
import { root } from './command.ts';
import { declareApp } from './declaration.ts';

await Bun.write(join(root, 'console/generated/app.d.ts'), declareApp());
