import { readFileSync, readlinkSync, writeSync } from 'node:fs';
import { codeOf } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';

/** The file descriptor. */
const stdout = 1;

/**
 * Writes data to stdout, a line each. Throws OperatorError when it is closed, and the system's error when it cannot be
 * written, where `console.log` would go on as if it had been.
 */
export const printLines = (lines: readonly string[]): void => {
  throwIfClosed();
  let rest = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  while (rest.length > 0) rest = rest.subarray(writeSome(rest));
};

/**
 * Prints what is shown this once. When it cannot be, nobody has it and nobody ever will: `undo` is called, and the system's
 * error thrown.
 */
export const printOnce = async (line: string, undo: () => unknown): Promise<void> => {
  try {
    printLines([line]);
  } catch (error) {
    await undo();
    throw error;
  }
};

/**
 * Throws OperatorError when stdout was closed at the start. Bun opens /dev/null in its place, to which every write
 * succeeds; unlike one that a parent has opened, it ends with an exec. Only Linux shows this.
 */
export const throwIfClosed = (): void => {
  if (isNullOfBun()) throw new OperatorError('stdout is closed.');
};

const isNullOfBun = (): boolean => {
  try {
    if (readlinkSync(`/proc/self/fd/${stdout}`) !== '/dev/null') return false;
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${stdout}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return false;
  }
};

/** O_CLOEXEC of Linux (https://man7.org/linux/man-pages/man2/open.2.html). */
const closeOnExec = 0o2000000;
const pauseMs = 5;

/** A pipe whose reader is slow may be full for now. */
const writeSome = (bytes: Buffer): number => {
  try {
    return writeSync(stdout, bytes);
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
    Bun.sleepSync(pauseMs);
    return 0;
  }
};
