/**
 * The wal-index: the file beside the log in which the connections of all processes keep what is committed
 * (https://www.sqlite.org/walformat.html#the_wal_index_file_format). Its header changes with each commit.
 */
import { type Pointer, toArrayBuffer } from 'bun:ffi';
import { readFileSync, realpathSync } from 'node:fs';

/**
 * Returns a look at the header, for as long as a connection of this process is open: two looks that are equal mean that nobody
 * has committed in between. It reads the memory into which SQLite has mapped the file, so it costs next to nothing. To open
 * the file once more would not do: closing it would drop the locks that SQLite has on it
 * (https://www.sqlite.org/howtocorrupt.html). Absent where there is no such memory, or no way to find it but on Linux.
 */
export const openWalIndex = (path: string): (() => bigint | undefined) | undefined => {
  const address = findMapping(`${realpathSync(path)}-shm`);
  if (address === undefined) return undefined;
  const checksum = new BigUint64Array(toArrayBuffer(address, checksumOffset, BigUint64Array.BYTES_PER_ELEMENT));
  return () => checksum[0];
};

/** Of `aCksum`, the checksum over the rest of the header, in its first copy: the one that is written last. */
const checksumOffset = 40;

/** Where this process has mapped the beginning of a file (https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html). */
const findMapping = (file: string): Pointer | undefined => {
  if (process.platform !== 'linux') return undefined;
  const mapping = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .find((line) => line.endsWith(` ${file}`) && line.includes(' 00000000 '));
  return mapping === undefined ? undefined : (Number.parseInt(mapping, 16) as Pointer);
};
