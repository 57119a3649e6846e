import { test } from 'bun:test';
import { programName } from './process.ts';

/** As `linuxTest`, for what Node.js hides from a program, as docs/runtimes.md says. It is skipped there. */
export const linuxTestWithoutNode = test.skipIf(process.platform !== 'linux' || programName.startsWith('node '));
