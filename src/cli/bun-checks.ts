/**
 * Bun reads `.env` and `bunfig.toml` of the working directory before a program starts. A checkout may have its own; those of
 * another folder belong to another program. The binary is built to read neither.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { engines } from '../../package.json';
import { OperatorError } from '../base/error.ts';
import { SettingError, settingNames } from '../config.ts';

/** Throws OperatorError when this version of Bun is not one that package.json asks for, which Bun itself does not check. */
export const refuseOtherBun = (version: string = Bun.version): void => {
  if (Bun.semver.satisfies(version, engines.bun)) return;
  throw new OperatorError(`Bun ${engines.bun} is required; this is Bun ${version}.`);
};

/** Bun's flags to read neither; the first line of `src/main.ts` has them. */
export const bunFlags = ['--no-env-file', '--config=/dev/null'] as const;

/** Throws SettingError when Bun has read settings of this program, or preloaded code, from a folder outside the checkout. */
export const refuseForeignSettings = (): void => {
  const [noEnvFile, noConfig] = bunFlags.map((flag) => process.execArgv.includes(flag));
  if (isBinary || (noEnvFile && noConfig) || isInCheckout(process.cwd())) return;
  const settings = [...settingNames(), ...settingsOfBun];
  const file = envFiles.find((name) => namesIn(name).some((setting) => settings.includes(setting)));
  if (!noEnvFile && file !== undefined) throw foreign(file, 'has settings of this program');
  if (!noConfig && isPreloading()) throw foreign('bunfig.toml', 'preloads code');
};

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

const foreign = (file: string, what: string): SettingError =>
  new SettingError(
    `File ${file} in this folder ${what}, and Bun has read it. Start with: bun ${bunFlags.join(' ')} ${Bun.main}`,
  );
