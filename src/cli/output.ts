/**
 * What the commands print. Text of clients, of files and of arguments may be in all of it, so control characters are escaped here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import type { OutputConfiguration } from 'commander';
import { codeOf, OperatorError, withFile } from '../base/error.ts';
import { isPath } from '../base/path.ts';
import { escapeAllButLineEnds, escapeControls } from '../base/printable.ts';

export interface Output {
  readonly stdout: number;
  readonly stderr: number;
}

/** Runs `use`, which prints to these descriptors instead of those of the process. Whether it prints colours depends on those of the process. */
export const withOutput = <Result>(output: Output, use: () => Result): Result => given.run(output, use);

const given = new AsyncLocalStorage<Output>();
const output = (): Output => given.getStore() ?? { stdout: 1, stderr: 2 };

/** Writes lines to stdout. Throws OperatorError when it cannot be written. */
export const printLines = (lines: readonly string[]): void => printRows(lines.map((line) => [line]));

/** Writes each row as a line to stdout, its columns separated by tabs. Throws as `printLines` does. */
export const printRows = (rows: readonly (readonly string[])[]): void =>
  write(rows.map((columns) => `${columns.map(escapeControls).join('\t')}\n`).join(''));

/** Writes a text of several lines to stdout. Throws as `printLines` does. */
export const printText = (text: string): void => write(`${escapeAllButLineEnds(text)}\n`);

/** Writes a text of several lines to stdout. Ignores when it cannot be written: a server continues without it. */
export const printNotice = (text: string): void => tryToWrite(`${escapeAllButLineEnds(text)}\n`, output().stdout);

/** Writes a line to stderr. Ignores when it cannot be written. */
export const printMessage = (message: string): void => tryToWrite(`${escapeControls(message)}\n`, output().stderr);

/** Writes an error to stderr as `printMessage` does: red on a terminal, unless NO_COLOR is set. */
export const printError = (lines: readonly string[]): void => {
  const text = lines.map((line) => escapeControls(hideTokens(line))).join('\n');
  tryToWrite(`${errorPrefix()} ${text}\n`, output().stderr);
};

/** The text of an error of the command line, which begins with `error:`, in the same form. It may repeat an argument that has no secret. */
export const styleUsageError = (text: string, args: readonly string[]): string => {
  const message = hideTokens(hideAddresses(text.replace(/^error: /, ''), args));
  return `${errorPrefix()} ${escapeAllButLineEnds(escapeArguments(message, args))}`;
};

/** The text without the arguments that may have a password. The value of an option is hidden whatever it is, since the name may be misspelt. */
const hideAddresses = (text: string, args: readonly string[]): string =>
  args
    .flatMap((arg) => [arg, givenIn(arg)])
    .filter((arg) => !isPath(arg))
    .sort((one, other) => other.length - one.length)
    .reduce((shown, arg) => shown.replaceAll(arg, `${arg.slice(0, arg.length - givenIn(arg).length)}…`), text);

const givenIn = (arg: string): string => arg.replace(/^--[\w-]+=/, '');

const hideTokens = (text: string): string => text.replaceAll(/\b(whsec_|plant_(?=\w{36}\b))[\w+/=-]+/g, '$1…');

/** The text with the line ends and tabs of these arguments escaped, and its own as they are. Commander quotes most arguments. */
const escapeArguments = (text: string, args: readonly string[]): string =>
  args
    .flatMap((arg) => [arg, givenIn(arg)])
    .map((arg) => (arg.trim() === '' ? `'${arg}'` : arg))
    .reduce((shown, arg) => shown.replaceAll(arg, escapeControls(arg)), text);

const errorPrefix = (): string => styleText('red', 'plant-store:', { stream: process.stderr });

/** For commander, which prints help texts. */
export const usageOutput = () => {
  const { stdout, stderr } = output();
  return {
    writeOut: (text) => tryToWrite(text, stdout),
    writeErr: (text) => tryToWrite(text, stderr),
    getOutHelpWidth: () => (isatty(stdout) ? process.stdout.columns : widthOfPipe),
    getErrHelpWidth: () => (isatty(stderr) ? process.stderr.columns : widthOfPipe),
  } satisfies OutputConfiguration;
};

const widthOfPipe = 80;

/**
 * Opens a file to write texts to it, or stdout without a path. A pipe without a reader, or with a slow one, does not block the process: when
 * `signal` aborts, a wait ends with its reason. Throws the errors of the system. Must be disposed of.
 */
export const openSink = async (path: string | undefined, signal: AbortSignal) => {
  const { stdout } = output();
  const descriptor = path === undefined ? withoutBlocking(stdout) : await openFile(path, signal);
  return {
    write: async (text: string): Promise<void> => {
      let rest = Buffer.from(text);
      for (let waits = 0; rest.length > 0; waits += 1) {
        const written = writeSome(rest, descriptor);
        rest = rest.subarray(written);
        if (written > 0) waits = 0;
        // Most readers have emptied the pipe after a few turns of the event loop.
        else await (waits < 50 ? setImmediate() : sleep(pauseMs));
        signal.throwIfAborted();
      }
    },
    [Symbol.dispose]: (): void => {
      if (descriptor !== stdout) closeSync(descriptor);
    },
  };
};

/** Opens a pipe again, since other programs share the mode of this descriptor. Returns the descriptor itself if it is no pipe. */
const withoutBlocking = (descriptor: number): number => {
  try {
    if (fstatSync(descriptor).isFIFO()) return openSync(`/dev/fd/${descriptor}`, toWrite);
  } catch {}
  return descriptor;
};

/** Waits while the path is a pipe that nobody reads. */
const openFile = async (path: string, signal: AbortSignal): Promise<number> => {
  for (;;) {
    try {
      return openSync(path, toWrite);
    } catch (error) {
      if (codeOf(error) !== 'ENXIO' || !statSync(path).isFIFO()) throw error;
      await sleep(pauseMs);
      signal.throwIfAborted();
    }
  }
};

const toWrite = constants.O_WRONLY | constants.O_NONBLOCK;

const pauseMs = 5;

export const isTerminalStdout = (): boolean => isatty(output().stdout);

/** Undefined when stderr is not a terminal. */
export const terminalStderr = (): NodeJS.WriteStream | undefined =>
  isatty(output().stderr) ? process.stderr : undefined;

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

/** A number with its unit, such as `1 row` and `2 rows`. */
export const countOf = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** Whether stdout could not be written because its reader has closed the pipe, as `head` does when it has enough. */
export const isClosedPipe = (error: unknown): boolean =>
  error instanceof OperatorError && codeOf(error.cause) === 'EPIPE';

const write = (text: string): void => {
  try {
    writeAll(text, output().stdout);
  } catch (error) {
    throw withFile('write', 'to stdout', error);
  }
};

const tryToWrite = (text: string, descriptor: number): void => {
  try {
    writeAll(text, descriptor);
  } catch {}
};

const writeAll = (text: string, descriptor: number): void => {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const written = writeSome(rest, descriptor);
    rest = rest.subarray(written);
    if (written === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
};

/** Returns 0 when the descriptor is a full pipe with a slow reader. */
const writeSome = (bytes: Buffer, descriptor: number): number => {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
    return 0;
  }
};
