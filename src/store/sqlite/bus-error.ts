/**
 * SQLite maps the index of the log into memory, so a look at it after somebody has cut it off is a SIGBUS, in the middle of
 * whatever SQLite does. As a rule that is noticed beforehand (`in-place.ts`); but it cannot be prevented. Then the process says
 * why, and exits; what was acknowledged is on the disk, as after any other end.
 */
import { dlopen, FFIType, JSCallback } from 'bun:ffi';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { removeDrafts } from '../../base/draft.ts';

/** Has a SIGBUS write this line to stderr and end the process with this code. On Linux alone. */
export const exitOnBusError = (line: string, exitCode: number): void => {
  if (process.platform !== 'linux' || handler) return;
  const libc = openLibc();
  if (!libc) return;
  // The signal comes from SQLite, which this very thread has called, so JavaScript may run. No exit that would close the
  // connections may be taken: SQLite would look at the index once more.
  handler = new JSCallback(
    () => {
      writeSync(stderr, `${line}\n`);
      removeDrafts();
      libc.symbols._exit(exitCode);
    },
    { args: [FFIType.i32], returns: FFIType.void },
  );
  libc.symbols.signal(constants.signals.SIGBUS, handler.ptr);
};

const stderr = 2;

/** Referenced until the process ends. */
let handler: JSCallback | undefined;

/** glibc, or else musl. */
const openLibc = () => {
  const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`;
  for (const name of ['libc.so.6', musl]) {
    try {
      return dlopen(name, {
        signal: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.ptr },
        _exit: { args: [FFIType.i32], returns: FFIType.void },
      });
    } catch {}
  }
  return undefined;
};
