/** The tests of the store on PostgreSQL alone, on Node and Deno: the same files that Bun runs. `store.test.ts` runs those of both engines. */
import { describe } from 'bun:test';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { findTests, testOn } from '../support/programs/tests-on.ts';

// They use Bun, start servers, poolers and commands with it, or run on each runtime themselves.
const needBun = /\/(?:loading|url|away|damage|pooler|connect|address|citus)\.test\.ts$/;
const files = findTests('postgres/**/*.test.ts').filter((file) => !needBun.test(file));

describe.each(runtimeNames.filter((name) => name !== 'bun'))('on %s', (runtime) =>
  testOn(runtime, files, { testsMin: 90 }),
);
