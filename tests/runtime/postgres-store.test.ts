/** The tests of the store on PostgreSQL alone, on Node and Deno: the same files that Bun runs. `store.test.ts` runs those of both engines. */
import { beforeAll, describe, expect, test } from 'bun:test';
import type { TestResult } from '../support/bun-test.ts';
import { runTestsOn, testsFolder } from '../support/tests-on.ts';

// They start servers and poolers with Bun, or run on each runtime themselves.
const needBun = /\/(?:away|pooler|connect|address)\.test\.ts$/;
const found = [...new Bun.Glob('store/postgres/**/*.test.ts').scanSync({ cwd: testsFolder })];
const files = found.filter((file) => !needBun.test(file));

describe.each(['deno', 'node'] as const)('on %s', (runtime) => {
  let results: TestResult[] = [];
  beforeAll(async () => {
    results = await runTestsOn(runtime, files);
  }, 300_000);

  test.each(files)('the tests of %s pass', (file) => {
    const own = results.filter(({ name }) => name.startsWith(`${file} > `));
    expect(own.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(own).not.toBeEmpty();
  });

  test('most tests need nothing but the store and the app, so they have run', () => {
    expect(results.length).toBeGreaterThan(90);
  });
});
