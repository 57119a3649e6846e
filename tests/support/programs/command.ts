/** Commands in the process of the test. A test of the process itself, such as of its signals, calls `runProgram`. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createContext } from '../../../src/cli/context.ts';
import { run } from '../../../src/cli/program.ts';
import { temporaryFolder } from '../folder.ts';
import { type Outcome, runProgram } from './process.ts';

interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

// The output is a file, but colours are chosen for the terminal of the test process.
process.env['NO_COLOR'] = '1';

/** They handle signals until the process ends, so they get one. */
const servers: readonly (string | undefined)[] = ['serve', 'tail', 'listen'];

/** Runs one command as the binary would run it, and resolves to the same as `runProgram`. */
export const runCommand = (args: readonly string[], options: CommandOptions = {}): Promise<Outcome> => {
  if (servers.includes(args[0])) return runProgram(args, options);
  const outcome = last.then(() => runAlone(args, options));
  last = outcome.catch(() => {});
  return outcome;
};

/** A process has one working directory, so one command runs after the other. */
let last: Promise<unknown> = Promise.resolve();

const runAlone = async (args: readonly string[], { cwd, env = {} }: CommandOptions): Promise<Outcome> => {
  using folder = temporaryFolder();
  const paths = { stdout: folder.file('stdout'), stderr: folder.file('stderr') };
  const [stdout, stderr] = [openSync(paths.stdout, 'a'), openSync(paths.stderr, 'a')];
  const before = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const exitCode = await run(args, createContext({ stdout, stderr, env: { NODE_ENV: 'production', ...env } }));
    return { exitCode, stdout: readFileSync(paths.stdout, 'utf8'), stderr: readFileSync(paths.stderr, 'utf8') };
  } finally {
    process.chdir(before);
    for (const descriptor of [stdout, stderr]) closeSync(descriptor);
  }
};
