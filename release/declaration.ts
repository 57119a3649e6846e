import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './command.ts';

/** The declarations of `app-type.ts` as one file, which imports only Elysia. */
export const declareApp = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-types-'));
  try {
    const project = join(folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify(configFor(folder)));
    // tsc fails, since it cannot name symbols of TypeBox in the declarations of other files. They are not needed. Several checkers of one
    // file would do the same work.
    const command = [process.execPath, 'x', '--bun', 'tsc', '--project', project, '--checkers', '1'];
    const { stdout } = Bun.spawnSync(command, { cwd: root });
    const text = readFileSync(join(folder, 'release/app-type.d.ts'), 'utf8');
    const imported = [...text.matchAll(/\b(?:from |import\()['"]([^'"]+)/g)].map(([, name]) => name);
    if (`${imported}` !== 'elysia') throw new Error(`The type of the app is not plain.\n${stdout}\n${text}`);
    return text;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const configFor = (outDir: string) => ({
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // Otherwise the compiler shortens a long type.
    noErrorTruncation: true,
    rootDir: root,
    outDir,
    typeRoots: [join(root, 'node_modules')],
  },
  files: [join(root, 'release/app-type.ts')],
  include: [],
});
