import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { codeOf } from '../base/error.ts';

/** `Runtime.writeToStderr` for Deno. A pipe is opened again without blocking, since other programs share the mode of the given one. */
export const writeToStderr = (text: string, onEnd: () => void): void => {
  waiting.push({ rest: Buffer.from(text), onEnd });
  if (!isFull) writeWaiting();
};

const waiting: { rest: Uint8Array; readonly onEnd: () => void }[] = [];
let isFull = false;
let descriptor: number | undefined;

const writeWaiting = (): void => {
  isFull = false;
  descriptor ??= openStderr();
  for (let [first] = waiting; first && !isFull; [first] = waiting) {
    first.rest = first.rest.subarray(writeSome(first.rest, descriptor));
    if (first.rest.length > 0) continue;
    waiting.shift();
    first.onEnd();
  }
  if (isFull) setTimeout(writeWaiting, retryMs).unref();
};

const retryMs = 20;

/** What cannot be written is lost, such as on a full disk, and counts as written. */
const writeSome = (bytes: Uint8Array, to: number): number => {
  try {
    return writeSync(to, bytes);
  } catch (error) {
    isFull = codeOf(error) === 'EAGAIN';
    return isFull ? 0 : bytes.length;
  }
};

const openStderr = (): number => {
  try {
    if (fstatSync(2).isFIFO()) return openSync('/dev/fd/2', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {}
  return 2;
};
