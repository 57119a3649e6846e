import { test } from 'bun:test';

/** For what needs /dev/full, /proc or a limit on the size of files, which other systems do not have; skipped there. */
export const linuxTest = test.skipIf(process.platform !== 'linux');
