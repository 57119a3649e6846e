/**
 * What a command line has from outside: the environment, and where it prints. Text of clients, of files and of arguments may be in all that a
 * command prints, so control characters are escaped here.
 */
import { OperatorError, tryTo, withFile } from '../base/error.ts';
import { escapeAllButLineEnds, escapeControls } from '../base/printable.ts';
import { type Environment, environment } from '../config/config.ts';
import { writeAll } from './descriptor.ts';
import { errorPrefix, hideTokens } from './usage-error.ts';

/** The exit code is 1, and nothing more is printed: the output has the reason. */
export class PrintedFailure extends Error {
  override readonly name = 'PrintedFailure';
}

interface Outside {
  readonly env: Environment;
  /** The descriptors for data and for messages. Whether an error is red depends on stderr of the process. */
  readonly stdout: number;
  readonly stderr: number;
}

export type Context = ReturnType<typeof createContext>;

/** Without an argument, that of the process. */
export const createContext = ({ env, stdout, stderr }: Outside = { env: environment, stdout: 1, stderr: 2 }) => {
  const print = (text: string): void => {
    try {
      writeAll(text, stdout);
    } catch (error) {
      throw withFile('write', 'to stdout', error);
    }
  };
  const printRows = (rows: readonly (readonly string[])[]): void =>
    print(rows.map((columns) => `${columns.map(escapeControls).join('\t')}\n`).join(''));

  return {
    env,
    stdout,
    stderr,
    /** Each row is a line of stdout, its columns separated by tabs. Like the next three, it throws OperatorError if that cannot be written. */
    printRows,
    printLines: (lines: readonly string[]): void => printRows(lines.map((line) => [line])),
    /** The text may have several lines. */
    printText: (text: string): void => print(`${escapeAllButLineEnds(text)}\n`),
    /** For columns that cannot be shown again. Before it throws, with `consequence`, it calls `undo`. */
    printOnce: async (columns: readonly string[], consequence: string, undo?: () => unknown): Promise<void> => {
      try {
        printRows([columns]);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        await undo?.();
        throw new OperatorError(`${error.message} ${consequence}`);
      }
    },
    /** A text of several lines to stdout. Like the next two, it ignores a failure: a server continues without it. */
    printNotice: (text: string): void => tryToWrite(`${escapeAllButLineEnds(text)}\n`, stdout),
    /** One line to stderr. */
    printMessage: (message: string): void => tryToWrite(`${escapeControls(message)}\n`, stderr),
    printError: (lines: readonly string[]): void =>
      tryToWrite(`${errorPrefix()} ${lines.map((line) => escapeControls(hideTokens(line))).join('\n')}\n`, stderr),
  };
};

export const tryToWrite = (text: string, descriptor: number): void => tryTo(() => writeAll(text, descriptor));
