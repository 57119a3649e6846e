/**
 * SQLite maps the WAL index into memory, so a read after a truncation of that file raises SIGBUS. `in-place.ts` detects most
 * truncations earlier. Otherwise the process prints the reason and exits. Every acknowledged write is on the disk.
 */
import { dlopen, FFIType, JSCallback } from 'bun:ffi';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { removeDrafts } from '../../base/draft.ts';

/** On SIGBUS, writes this line to stderr and ends the process with this code. On Linux only. */
export const exitOnBusError = (line: string, exitCode: number): void => {
  if (process.platform !== 'linux' || handler) return;
  const libc = openLibc();
  if (!libc) return;
  // This thread has called SQLite, so JavaScript may run. A normal exit would close the connections, for which SQLite
  // reads the index again.
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
