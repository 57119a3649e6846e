/** The tests of the client of SQLite and of the store, on Node and Deno: the same files that Bun runs, with the same promises. */
import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '../support/folder.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { findTests, runTestsOn, testOn } from '../support/programs/tests-on.ts';

const found = ['runtime/sqlite.test.ts', 'store/*.test.ts', 'sqlite/*.test.ts'].flatMap(findTests);
// They start servers, so they are among the tests of the programs.
const ofServers = ['server', 'visibility'].map((name) => `sqlite/${name}.test.ts`);
const files = found.filter((file) => !ofServers.includes(file));

describe.each(runtimeNames.filter((name) => name !== 'bun'))('on %s', (runtime) => {
  testOn(runtime, files, { testsMin: 360 });

  test('a test that fails is found', async () => {
    using other = temporaryFolder();
    const path = other.file('failing.mjs');
    writeFileSync(path, `import { expect, test } from 'bun:test'; test('one', () => expect(1).toBe(2));`);
    const [failed] = await runTestsOn(runtime, [path]);
    expect(failed).toEqual({
      name: `${path} > one`,
      error: expect.stringContaining('expect(received).toBe(expected)'),
    });
  });
});
