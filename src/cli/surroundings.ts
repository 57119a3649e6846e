/**
 * Bun reads `.env` and `bunfig.toml` of the working directory before a program starts. The binary is built to read neither.
 * From a checkout those of the checkout are meant; those of any other folder belong to somebody else's program.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SettingError, settings } from '../config.ts';

/** How to start a checkout so that nothing of the working directory is read; `src/main.ts` does so by its first line. */
export const shieldFlags = ['--no-env-file', '--config=/dev/null'] as const;

/** Throws SettingError when Bun has read settings of ours, or code to run first, from a folder that is none of the checkout's. */
export const refuseForeignSettings = (): void => {
  if (isBinary || isInCheckout(process.cwd())) return;
  const [noEnvFile, noConfig] = shieldFlags;
  if (!process.execArgv.includes(noEnvFile)) {
    const file = envFiles.find((name) => existsSync(name) && namesIn(name).some((name) => settings.includes(name)));
    if (file !== undefined) throw foreign(file, 'has settings of this program');
  }
  const isPreloading = existsSync('bunfig.toml') && /^\s*preload\b/m.test(readFileSync('bunfig.toml', 'utf8'));
  if (!process.execArgv.includes(noConfig) && isPreloading) throw foreign('bunfig.toml', 'preloads code');
};

/** A binary has its main file in a file system of its own, and under Windows on a drive of its own. */
const isBinary = /^\/\$bunfs\/|^B:.~BUN/.test(Bun.main);

/** The folder above `src/main.ts`. */
const root = join(dirname(Bun.main), '..');

const isInCheckout = (folder: string): boolean => !relative(root, folder).startsWith('..');

const environments = ['', '.development', '.production', '.test'];
const envFiles = environments.flatMap((name) => [`.env${name}`, `.env${name}.local`]);

const namesIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^\s*(?:export\s+)?(\w+)\s*[=:]/gm)].map(([, name = '']) => name);

const foreign = (file: string, what: string): SettingError =>
  new SettingError(
    `The ${file} of this folder ${what}, and Bun has read it. Start with: bun ${shieldFlags.join(' ')} ${Bun.main}`,
  );
