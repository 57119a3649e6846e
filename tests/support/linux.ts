import { test } from 'bun:test';
import { programName } from './process.ts';

/** A test that needs /dev/full, /proc or a limit on the size of files. Other systems do not have these, and skip it. */
export const linuxTest = test.skipIf(process.platform !== 'linux');

/** The same for what Deno and Node hide from a program, as docs/runtimes.md says. It is skipped there. */
export const linuxTestOfBun = test.skipIf(process.platform !== 'linux' || /^(?:deno|node) /.test(programName));
