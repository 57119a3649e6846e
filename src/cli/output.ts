import { writeSync } from 'node:fs';

/**
 * Writes data to stdout, a line each. Throws the system's error when it cannot be written, where `console.log` would go on
 * as if it had been.
 */
export const printLines = (lines: readonly string[]): void => {
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

const stdout = 1;
const pauseMs = 5;

/** A pipe whose reader is slow may be full for now. */
const writeSome = (bytes: Buffer): number => {
  try {
    return writeSync(stdout, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    Bun.sleepSync(pauseMs);
    return 0;
  }
};
