import { test } from 'bun:test';
import { programName } from './process.ts';

/** As `linuxTest`, for what Deno and Node hide from a program, as docs/runtimes.md says. It is skipped there. */
export const linuxTestOfBun = test.skipIf(process.platform !== 'linux' || /^(?:deno|node) /.test(programName));
