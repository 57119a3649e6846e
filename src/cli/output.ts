/**
 * What the commands print. Text of clients, of files and of arguments may be in all of it, so control characters are escaped here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync, readlinkSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import type { OutputConfiguration } from 'commander';
import { hideSecrets } from '../base/address-like.ts';
import { codeOf, OperatorError, withFile } from '../base/error.ts';
import { escapeAllButLineEnds, escapeControls } from '../base/text.ts';

/** The descriptors that a command prints to. */
export interface Output {
  readonly stdout: number;
  readonly stderr: number;
}

/** Runs `use`, which prints to these descriptors instead of those of the process. */
export const withOutput = <Result>(output: Output, use: () => Result): Result => redirected.run(output, use);

const redirected = new AsyncLocalStorage<Output>();
const ofProcess: Output = { stdout: 1, stderr: 2 };
const output = (): Output => redirected.getStore() ?? ofProcess;

/** Writes lines to stdout. Throws OperatorError when it is closed or cannot be written, which `console.log` would hide. */
export const printLines = (lines: readonly string[]): void => printRows(lines.map((line) => [line]));

/** The same for lines of columns, separated by tabs. */
export const printRows = (rows: readonly (readonly string[])[]): void =>
  write(rows.map((columns) => `${columns.map(escapeControls).join('\t')}\n`).join(''));

/** The same for a text of several lines. */
export const printText = (text: string): void => write(`${escapeAllButLineEnds(text)}\n`);

/** Writes a text of several lines to stdout. Ignores when it cannot be written: a server continues without it. */
export const printNotice = (text: string): void => console.log(escapeAllButLineEnds(text));

/** Writes a line to stderr. */
export const printMessage = (message: string): void => printToStderr(escapeControls(message));

/** Writes an error to stderr, without the secrets of these arguments: red on a terminal, unless NO_COLOR is set. */
export const printError = (lines: readonly string[], args: readonly string[]): void =>
  printToStderr(`${errorPrefix()} ${lines.map((line) => escapeControls(hideSecrets(line, args))).join('\n')}`);

/** The text of an error of the command line, which begins with `error:`, in the same form. It may repeat an argument. */
export const styleUsageError = (text: string, args: readonly string[]): string =>
  escapeAllButLineEnds(hideSecrets(text, args)).replace(/^error:/, errorPrefix());

const errorPrefix = (): string =>
  redirected.getStore() ? 'plant-store:' : styleText('red', 'plant-store:', { stream: process.stderr });

const write = (text: string): void => {
  throwIfClosed();
  try {
    writeAll(text, output().stdout);
  } catch (error) {
    throw withFile('write', 'to stdout', error);
  }
};

/** `console.error` ignores an error of the stderr of the process. */
const printToStderr = (text: string): void => {
  const { stderr } = output();
  if (stderr === ofProcess.stderr) console.error(text);
  else writeAll(`${text}\n`, stderr);
};

/** For commander, which prints to the process by default. */
export const usageOutput = (): OutputConfiguration =>
  redirected.getStore()
    ? {
        writeOut: (text) => writeAll(text, output().stdout),
        writeErr: (text) => writeAll(text, output().stderr),
        getOutHelpWidth: () => 80,
        getErrHelpWidth: () => 80,
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      }
    : {};

/** Where `export` writes its bytes. */
export const stdoutFile = (): Bun.BunFile => (redirected.getStore() ? Bun.file(output().stdout) : Bun.stdout);

/** Whether people read stdout. */
export const isTerminalStdout = (): boolean => isatty(output().stdout);

/** Absent when people do not read stderr. */
export const terminalStderr = (): NodeJS.WriteStream | undefined =>
  !redirected.getStore() && process.stderr.isTTY ? process.stderr : undefined;

/** Prints columns that cannot be shown again. If it cannot be written, calls `undo` and throws OperatorError with `consequence`. */
export const printOnce = async (
  columns: readonly string[],
  consequence: string,
  undo: () => unknown = () => {},
): Promise<void> => {
  try {
    printRows([columns]);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    await undo();
    throw new OperatorError(`${error.message} ${consequence}`);
  }
};

/** A number and its noun, such as `1 row` and `2 rows`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Whether stdout could not be written because its reader has closed the pipe, as `head` does when it has enough. */
export const isClosedPipe = (error: unknown): boolean =>
  error instanceof OperatorError && codeOf(error.cause) === 'EPIPE';

/** Throws OperatorError when stdout was closed at the start. Only Linux shows this. */
export const throwIfClosed = (): void => {
  if (isNullOfBun()) throw new OperatorError('Cannot write to stdout: it is closed.');
};

/** Bun replaces a closed stdout by /dev/null. Unlike one that a parent has opened, it is closed on exec. */
const isNullOfBun = (): boolean => {
  try {
    const { stdout } = output();
    if (readlinkSync(`/proc/self/fd/${stdout}`) !== '/dev/null') return false;
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${stdout}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return false;
  }
};

/** O_CLOEXEC of Linux (https://man7.org/linux/man-pages/man2/open.2.html). */
const closeOnExec = 0o2000000;

const writeAll = (text: string, descriptor: number): void => {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSome(rest, descriptor));
};

/** Pauses when the descriptor is a full pipe with a slow reader. */
const writeSome = (bytes: Buffer, descriptor: number): number => {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
    Bun.sleepSync(5);
    return 0;
  }
};
