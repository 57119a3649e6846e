/** `bun test` loads this file first, in each of its processes (bunfig.toml). */
import { readFileSync } from 'node:fs';
import { limitTests } from './support/time-limit.ts';

/** The arguments of `bun test`, which it has removed from `process.argv`. Only Linux keeps them; elsewhere they count as none. */
const readArguments = (): readonly string[] => {
  try {
    return readFileSync('/proc/self/cmdline', 'utf8').split('\0').slice(2, -1);
  } catch {
    return [];
  }
};

// bunfig.toml has no setting for several processes.
const isOneProcess = process.env['BUN_TEST_WORKER_ID'] === undefined;
if (isOneProcess && readArguments().every((argument) => argument.startsWith('-')))
  console.error(
    '`bun test` runs all files in one process, for more than ten minutes. `bun run test` runs seven at once.',
  );

/** Some tests wait for limits of many seconds. */
limitTests(180_000);

/** `process.ts` builds the program when a test file imports that. */
process.env['TEST_PROGRAM'] ??= 'binary';
