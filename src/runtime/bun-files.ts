/**
 * Bun reads `.env` and `bunfig.toml` of the working directory before a program starts. A checkout may have its own; those of
 * another folder belong to another program. The binary is built to read neither.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Bun's flags to read neither; the first line of `src/main.ts` has them. */
export const bunFlags = ['--no-env-file', '--config=/dev/null'] as const;

/** `Runtime.findForeignFile` for Bun. */
export const findForeignFile = (settings: readonly string[]): string | undefined => {
  const [noEnvFile, noConfig] = bunFlags.map((flag) => process.execArgv.includes(flag));
  if (isBinary || (noEnvFile && noConfig) || isInCheckout(process.cwd())) return undefined;
  const names = [...settings, ...settingsOfBun];
  const file = envFiles.find((name) => namesIn(name).some((setting) => names.includes(setting)));
  if (!noEnvFile && !isAsNode && file !== undefined) return explain(file, 'has settings of this program');
  return !noConfig && isPreloading() ? explain('bunfig.toml', 'preloads code') : undefined;
};

/** Where there is no Node, bunx runs a program for Node with Bun by the name `node`. By that name it reads no `.env`. */
const isAsNode = /\bnode(?:\.exe)?$/.test(process.argv0);

/** They change which certificates Bun trusts. */
const settingsOfBun = ['NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED'];

const isPreloading = (): boolean => {
  try {
    return 'preload' in Bun.TOML.parse(textOf('bunfig.toml'));
  } catch {
    return true;
  }
};

/** Empty for a file that cannot be read, since Bun has not read it either. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The main file of a binary is in a virtual file system, and under Windows on a virtual drive. */
const isBinary = /^\/\$bunfs\/|^B:.~BUN/.test(Bun.main);

/** `Bun.main` is `src/main.ts`, or `main.js` of the npm package, which is below `node_modules`. */
const isInCheckout = (folder: string): boolean => !relative(join(dirname(Bun.main), '..'), folder).startsWith('..');

const envFiles = ['', '.development', '.production', '.test'].flatMap((name) => [`.env${name}`, `.env${name}.local`]);

const namesIn = (file: string): string[] =>
  [...textOf(file).matchAll(/^\s*(?:export\s+)?(\w+)\s*[=:]/gm)].map(([, name = '']) => name);

const explain = (file: string, what: string): string =>
  `File ${file} in this folder ${what}, and Bun has read it. Start with: bun ${bunFlags.join(' ')} ${Bun.main}`;
