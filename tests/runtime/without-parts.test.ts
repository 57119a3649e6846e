/**
 * The program without each part that is beside the service: it compiles, builds and starts, and its other tests pass. The tests of a part
 * leave with it: those in its folders, and those that import something of them.
 */
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createCopy } from '../support/project/checkout.ts';
import { staticImportsOf } from '../support/project/imports.ts';

/** Each part, and the folders of its tests. */
const parts: Readonly<Record<string, readonly string[]>> = {
  'src/postgres': ['tests/postgres', 'tests/support/postgres'],
  'src/node': ['tests/node', 'tests/runtime'],
  console: ['tests/console'],
  map: [],
  bench: [],
};

/** Tests of the rules, the settings, the store, the app, the sender and the command line, which take a few seconds. */
const few = [
  ...['tests/plants/plant.test.ts', 'tests/config', 'tests/http/auth.test.ts', 'tests/sender/lane.test.ts'],
  ...['tests/events/events.test.ts', 'tests/store/plants.test.ts', 'tests/sqlite/migrations.test.ts'],
];

const isWhole = process.env['TEST_COPIES'] === 'whole';

describe.each(Object.entries(parts))('a copy without %s', (part, ofPart) => {
  test('compiles, builds, and passes the other tests', async () => {
    using copy = createCopy();
    for (const path of [part, ...ofPart]) rmSync(copy.file(path), { recursive: true });
    removeImporters(copy.path);
    await copy.bun('node_modules/typescript/bin/tsc');

    const program = copy.file('plant-store');
    await copy.bun('build', 'src/main.ts', '--compile', '--external', 'pino-pretty', '--outfile', program);
    expect(await copy.run([program, 'migrate', '--database', 'p.sqlite'])).toContain('0000_plants_tokens');
    const settings = [program, 'settings', '--database', 'postgres://keeper:hunter2@127.0.0.1/plants'];
    const outcome =
      part === 'src/postgres'
        ? { exitCode: 2, output: 'must be the path of a SQLite file: this program has no engine for PostgreSQL.' }
        : { exitCode: 0, output: 'postgres://127.0.0.1:5432/plants' };
    const output = await copy.run(settings, outcome.exitCode);
    expect(output).toContain(outcome.output);
    expect(output).not.toContain('hunter2');

    const tests = isWhole ? ['tests'] : few;
    expect(await copy.bun('test', '--no-isolate', ...tests)).toMatch(/^ \d{3,} pass\n(?: \d+ skip\n)? 0 fail$/m);
  }, 3_600_000);
});

/** Removes each file of the copy that imports a file that is not there, until there is none. */
const removeImporters = (root: string): void => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.includes('node_modules'),
  );
  const isBroken = (path: string): boolean =>
    staticImportsOf(path, root).some((target) => !existsSync(`${root}/${target}`));
  for (let rest = files; ; ) {
    const broken = rest.filter(isBroken);
    if (broken.length === 0) return;
    for (const path of broken) rmSync(`${root}/${path}`);
    rest = rest.filter((path) => !broken.includes(path));
  }
};
