/** The program without each part that is beside the service: it compiles, builds and starts, and its other tests pass. */
import { describe, expect, test } from 'bun:test';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../release/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { copyCheckout } from '../support/project/checkout.ts';

/** Tests of the rules, the settings, the store, the app, the sender and the command line, which take a few seconds. */
const others = [
  ...['plants', 'domain', 'config.test.ts', 'http/auth.test.ts', 'webhooks/lane.test.ts', 'cli/import.test.ts'],
  ...[
    'events/events.test.ts',
    'store/plants.test.ts',
    'store/sqlite/backup.test.ts',
    'store/sqlite/migrations.test.ts',
  ],
].map((path) => join('tests', path));

describe.each([
  { part: 'src/postgres', ofPart: 'tests/postgres' },
  { part: 'src/node', ofPart: 'tests/node' },
])('a copy without $part', ({ part, ofPart }) => {
  test('compiles, builds, and passes the tests on SQLite and Bun', async () => {
    using folder = temporaryFolder();
    copyCheckout(folder.path);
    symlinkSync(join(root, 'node_modules'), folder.file('node_modules'));
    for (const path of [part, ofPart]) rmSync(folder.file(path), { recursive: true });
    /** Runs a command, and returns what it prints. */
    const run = async (command: readonly string[], exitCode = 0): Promise<string> => {
      const child = Bun.spawn([...command], { cwd: folder.path, stdout: 'pipe', stderr: 'pipe' });
      const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      expect(await child.exited, stdout + stderr).toBe(exitCode);
      return stdout + stderr;
    };
    const bun = (...args: string[]): Promise<string> => run([process.execPath, ...args]);

    await Bun.write(folder.file('program.json'), '{ "extends": "./tsconfig.json", "include": ["src", "db"] }');
    await bun('node_modules/typescript/bin/tsc', '-p', 'program.json');

    const program = folder.file('plant-store');
    await bun('build', 'src/main.ts', '--compile', '--external', 'pino-pretty', '--outfile', program);
    expect(await run([program, 'migrate', '--database', 'p.sqlite'])).toContain('0000_plants_tokens');
    const settings = [program, 'settings', '--database', 'postgres://keeper:hunter2@127.0.0.1/plants'];
    const outcome =
      part === 'src/postgres'
        ? { exitCode: 2, output: 'must be the path of a SQLite file: this program has no engine for PostgreSQL.' }
        : { exitCode: 0, output: 'postgres://127.0.0.1:5432/plants' };
    const output = await run(settings, outcome.exitCode);
    expect(output).toContain(outcome.output);
    expect(output).not.toContain('hunter2');

    expect(await bun('test', '--no-isolate', ...others)).toMatch(/^ \d{3,} pass\n 0 fail$/m);
  }, 300_000);
});
