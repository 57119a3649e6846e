/** A terminal with bash, into which a test pastes commands as the reader of a page does. It needs setsid, of util-linux. */
import { PaceError } from '../pace.ts';
import { untilOr } from '../until.ts';

interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type Terminal = Awaited<ReturnType<typeof openTerminal>>;

/** Use with `await using`: at the end it interrupts the running command, like Ctrl-C, and closes the shell. */
export const openTerminal = async ({ cwd, env }: TerminalOptions) => {
  const decoder = new TextDecoder();
  let shown = '';
  let isIdle = true;
  const terminal = new Bun.Terminal({
    cols: 400,
    rows: 50,
    data: (_, bytes) => {
      shown += decoder.decode(bytes, { stream: true }).replaceAll('\r', '');
    },
  });
  // Ctrl-C reaches a program only if the terminal is the controlling terminal of its session.
  const command = [pathOf('setsid'), '--ctty', '--wait', pathOf('bash'), '--noprofile', '--norc', '--noediting'];
  const shell = Bun.spawn(command, { cwd, env, terminal });
  const waitFor = async (isEnough: (text: string) => boolean, msMax: number): Promise<void> => {
    if (!(await untilOr(() => isEnough(shown), msMax)))
      throw new PaceError(`After ${msMax} ms the terminal shows:\n${shown}`);
  };
  const write = (commands: string): void => {
    shown = '';
    terminal.write(commands);
  };

  // Without the echo of the input and without prompts, the terminal shows nothing but output.
  write(`${pathOf('stty')} -echo; PS1= PS2=; trap 'failed=yes' ERR; echo rea''dy\n`);
  await waitFor((text) => text.endsWith('ready\n'), 10_000);

  return {
    /** Runs commands that end. Resolves to whether each of them had the exit status 0. */
    run: async (commands: string, msMax: number): Promise<boolean> => {
      write(`failed=no\n${commands}printf '\\n<failed: %s>\\n' "$failed"\n`);
      await waitFor((text) => verdict.test(text), msMax);
      const [, failed] = verdict.exec(shown) ?? [];
      shown = shown.replace(verdict, '');
      isIdle = true;
      return failed === 'no';
    },
    /** Starts commands of which the last one does not end. */
    start: (commands: string): void => {
      write(commands);
      isIdle = false;
    },
    /** Rejects with a PaceError and the shown text if the condition is not met in time. */
    waitFor,
    /** The text shown since the last commands. */
    shown: () => shown,
    /** Whether the last commands have ended. */
    isIdle: () => isIdle,
    [Symbol.asyncDispose]: async () => {
      // bash may lose the first character after Ctrl-C.
      terminal.write('\u0003\nexit\n');
      if (!(await untilOr(() => shell.exitCode !== null, 15_000))) shell.kill('SIGKILL');
      await shell.exited;
      terminal.close();
    },
  };
};

const verdict = /\n<failed: (\w+)>\n$/;

/** A program of the machine, and not one of a package, such as the pinned Node. Throws when there is none. */
export const pathOf = (program: string): string => {
  const folders = `${process.env['PATH']}`.split(':').filter((folder) => !folder.endsWith('/node_modules/.bin'));
  const path = Bun.which(program, { PATH: folders.join(':') });
  if (path === null) throw new Error(`There is no ${program}.`);
  return path;
};
