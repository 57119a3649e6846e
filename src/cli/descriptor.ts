/** Writing to pipes, terminals and files that may be slow. */

import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { getBuiltinModule } from 'node:process';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { codeOf, OperatorError } from '../base/error.ts';

const pauseMs = 5;

/** Writes a text before it returns, however slow the reader is. Throws the errors of the system. */
export const writeAll = (text: string, descriptor: number): void => {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const written = writeSome(rest, descriptor);
    rest = rest.subarray(written);
    if (written === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
};

/**
 * Opens a file to write texts to it, or takes a descriptor. A pipe without a reader, or with a slow one, does not block the process: when
 * `signal` aborts, a wait ends with its reason. Throws the errors of the system. Must be disposed of.
 */
export const openSink = async (target: string | number, signal: AbortSignal) => {
  const descriptor = typeof target === 'number' ? withoutBlocking(target) : await openFile(target, signal);
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
      if (descriptor !== target) closeSync(descriptor);
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

/** Returns 0 when the descriptor is a full pipe with a slow reader. */
const writeSome = (bytes: Buffer, descriptor: number): number => {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
    return 0;
  }
};

/** Whether the descriptor is a terminal. The module for them is loaded here, since most processes do not ask. */
export const isTerminal = (descriptor: number): boolean => getBuiltinModule('node:tty').isatty(descriptor);

/** Whether stdout could not be written because its reader has closed the pipe, as `head` does when it has enough. */
export const isClosedPipe = (error: unknown): boolean =>
  error instanceof OperatorError && codeOf(error.cause) === 'EPIPE';
