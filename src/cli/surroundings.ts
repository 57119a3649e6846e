/**
 * Bun reads `.env` and `bunfig.toml` of the working directory before a program starts. The binary is built to read neither.
 * A checkout uses its own files; those of any other folder belong to another program.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SettingError, settingNames } from '../config.ts';

/** How to start a checkout so that nothing of the working directory is read; `src/main.ts` does so by its first line. */
export const shieldFlags = ['--no-env-file', '--config=/dev/null'] as const;

/** Throws SettingError when Bun has read settings of this program, or code to preload, from a folder outside the checkout. */
export const refuseForeignSettings = (): void => {
  const [noEnvFile, noConfig] = shieldFlags.map((flag) => process.execArgv.includes(flag));
  if (isBinary || (noEnvFile && noConfig) || isInCheckout(process.cwd())) return;
  const file = envFiles.find((name) => namesIn(name).some((setting) => meant().includes(setting)));
  if (!noEnvFile && file !== undefined) throw foreign(file, 'has settings of this program');
  if (!noConfig && isPreloading()) throw foreign('bunfig.toml', 'preloads code');
};

/** Settings of this program, and those of Bun that change whom it trusts. */
const meant = (): string[] => [...settingNames(), 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED'];

const isPreloading = (): boolean => {
  const text = textOf('bunfig.toml');
  try {
    return text !== '' && 'preload' in Bun.TOML.parse(text);
  } catch {
    return true;
  }
};

/** Empty for what is no file, or cannot be read: Bun has not read it either. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** A binary has its main file in a file system of its own, and under Windows on a drive of its own. */
const isBinary = /^\/\$bunfs\/|^B:.~BUN/.test(Bun.main);

/** The folder above `src/main.ts`. */
const root = join(dirname(Bun.main), '..');

const isInCheckout = (folder: string): boolean => !relative(root, folder).startsWith('..');

const environments = ['', '.development', '.production', '.test'];
const envFiles = environments.flatMap((name) => [`.env${name}`, `.env${name}.local`]);

const namesIn = (file: string): string[] =>
  [...textOf(file).matchAll(/^\s*(?:export\s+)?(\w+)\s*[=:]/gm)].map(([, name = '']) => name);

const foreign = (file: string, what: string): SettingError =>
  new SettingError(
    `The ${file} of this folder ${what}, and Bun has read it. Start with: bun ${shieldFlags.join(' ')} ${Bun.main}`,
  );
