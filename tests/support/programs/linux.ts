import { test } from 'bun:test';

/** A test that needs /dev/full, /proc or a limit on the size of files. Other systems do not have these, and skip it. */
export const linuxTest = test.skipIf(process.platform !== 'linux');
