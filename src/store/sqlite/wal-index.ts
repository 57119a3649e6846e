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
  if (process.platform !== 'linux') return undefined;
  const address = findMapping(readFileSync('/proc/self/maps', 'utf8'), `${realpathSync(path)}-shm`);
  if (address === undefined) return undefined;
  const checksum = new BigUint64Array(
    toArrayBuffer(address as Pointer, checksumOffset, BigUint64Array.BYTES_PER_ELEMENT),
  );
  return () => checksum[0];
};

/** Of `aCksum`, the checksum over the rest of the header, in its first copy: the one that is written last. */
const checksumOffset = 40;

/**
 * The address of the beginning of a file, in what Linux tells of the memory of a process
 * (https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html).
 */
export const findMapping = (maps: string, file: string): number | undefined => {
  // A line break is written as `\012`, and so is that text itself.
  if (file.includes('\\')) return undefined;
  for (const line of maps.split('\n')) {
    const [, address = '', name] = beginningForm.exec(line) ?? [];
    if (name === file) return Number.parseInt(address, 16);
  }
  return undefined;
};

/** Address and end, rights, an offset of zero, device, inode and name. */
const beginningForm = /^([0-9a-f]+)-[0-9a-f]+ \S+ 0+ \S+ \d+ +(.*)$/;
