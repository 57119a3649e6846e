import { readFileSync, readlinkSync, writeSync } from 'node:fs';
import { codeOf, OperatorError } from '../base/error.ts';

/** Writes lines to stdout. Throws OperatorError when it is closed, and the system's error, which `console.log` would hide. */
export const printLines = (lines: readonly string[]): void => {
  throwIfClosed();
  let rest = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  while (rest.length > 0) rest = rest.subarray(writeSome(rest));
};

/** Prints a line that cannot be shown again. On an error nobody has it, so `undo` is called before the error is thrown. */
export const printOnce = async (line: string, undo: () => unknown): Promise<void> => {
  try {
    printLines([line]);
  } catch (error) {
    await undo();
    throw error;
  }
};

/** Throws OperatorError when stdout was closed at the start. Only Linux shows this. */
export const throwIfClosed = (): void => {
  if (isNullOfBun()) throw new OperatorError('stdout is closed.');
};

/** Bun replaces a closed stdout by /dev/null. Unlike one that a parent has opened, it is closed on exec. */
const isNullOfBun = (): boolean => {
  try {
    if (readlinkSync(`/proc/self/fd/${stdout}`) !== '/dev/null') return false;
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${stdout}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return false;
  }
};

const stdout = 1;

/** O_CLOEXEC of Linux (https://man7.org/linux/man-pages/man2/open.2.html). */
const closeOnExec = 0o2000000;

/** Pauses when stdout is a full pipe with a slow reader. */
const writeSome = (bytes: Buffer): number => {
  try {
    return writeSync(stdout, bytes);
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
    Bun.sleepSync(5);
    return 0;
  }
};
