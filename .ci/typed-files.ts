/** Ends with 1, and names each TypeScript file of the repository that no tsconfig.json includes: nothing checks its types. Needs Git. */
import { join } from 'node:path';

const root = join(import.meta.dir, '..');

const linesOf = (...command: readonly string[]): readonly string[] =>
  `${Bun.spawnSync([...command], { cwd: root }).stdout}`.trim().split('\n');

const tsc = join(root, 'node_modules/.bin/tsc');
// It also lists the files of a package that is not installed, and then fails.
const configs = linesOf('git', 'ls-files', '*tsconfig.json');
const typed = new Set(configs.flatMap((config) => linesOf(tsc, '--listFilesOnly', '-p', config)));
const untyped = linesOf('git', 'ls-files', '*.ts', '*.tsx', '*.mts').filter((file) => !typed.has(join(root, file)));
for (const file of untyped) console.error(`No tsconfig.json includes ${file}.`);
process.exit(untyped.length === 0 ? 0 : 1);
