import { readFileSync, readlinkSync } from 'node:fs';

/** Bun replaces a closed descriptor by /dev/null. Unlike one that a parent has opened, it is closed on exec. Only Linux shows this. */
export const wasClosed = (descriptor: number): boolean => {
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== '/dev/null') return false;
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return false;
  }
};

/** O_CLOEXEC of Linux (https://man7.org/linux/man-pages/man2/open.2.html). */
const closeOnExec = 0o2000000;
