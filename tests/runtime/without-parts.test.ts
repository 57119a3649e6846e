/**
 * The program without each part that is beside the service: it compiles, builds and starts, and its other tests pass. The tests of a part
 * leave with it: those in its folders, those that import something of them, and those whose text says that they need the part.
 */
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createCopy } from '../support/project/checkout.ts';
import { staticImportsOf } from '../support/project/imports.ts';

interface Part {
  /** Its tests, mostly their folders. */
  readonly paths?: readonly string[];
  /** What the other tests that need it have in their text. */
  readonly needed?: RegExp;
}

const parts: Readonly<Record<string, Part>> = {
  'src/postgres': { paths: ['tests/postgres', 'tests/support/postgres', 'tests/cli/postgres-url.test.ts'] },
  'src/node': { paths: ['tests/node'], needed: /'node (?:source|package)'|\bpackedTarball\b/ },
  console: { paths: ['tests/console'] },
  // The npm package has the features of the map.
  map: { needed: /(?:bun|deno|node|\$\{runtime\}) package['`]|\bpackedTarball\b/ },
  bench: {},
};

/** Tests of the rules, the settings, the store, the app, the sender and the command line, which take a few seconds. */
const few = [
  ...['tests/plants/plant.test.ts', 'tests/config', 'tests/http/auth.test.ts', 'tests/sender/lane.test.ts'],
  ...['tests/events/events.test.ts', 'tests/store/plants.test.ts', 'tests/sqlite/migrations.test.ts'],
];

/** The tests in `house` compare pages and lists with the whole project, and the other one makes these copies. */
const ofProject = ['tests/house/**', 'tests/runtime/without-parts.test.ts'];
const whole = ['--parallel=7', 'tests', ...ofProject.map((path) => `--path-ignore-patterns=${path}`)];

describe.each(Object.entries(parts))('a copy without %s', (part, { paths = [], needed }) => {
  test('compiles, builds, and passes the other tests', async () => {
    using copy = createCopy();
    const before = new Set(filesOf(copy.path));
    for (const path of [part, ...paths]) rmSync(copy.file(path), { recursive: true });
    for (const path of new Bun.Glob('tests/**/*.test.ts').scanSync(copy.path))
      if (needed?.test(readFileSync(copy.file(path), 'utf8'))) rmSync(copy.file(path));
    removeImporters(copy.path, before);
    await copy.compile();

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

    await copy.runTests({ few, whole });
  }, 3_600_000);
});

/** The paths of all files of the copy. */
const filesOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => !/^(?:node_modules|\.git)\b/.test(path));

/** Removes each file of the copy that imports one of these files that is not there any more, until there is none. */
const removeImporters = (root: string, before: ReadonlySet<string>): void => {
  const isBroken = (path: string): boolean =>
    staticImportsOf(path, root).some((target) => before.has(target) && !existsSync(`${root}/${target}`));
  for (let rest = filesOf(root).filter((path) => /\.tsx?$/.test(path)); ; ) {
    const broken = rest.filter(isBroken);
    if (broken.length === 0) return;
    for (const path of broken) rmSync(`${root}/${path}`);
    rest = rest.filter((path) => !broken.includes(path));
  }
};
