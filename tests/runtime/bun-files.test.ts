/** The files of the working folder that Bun reads before the program starts. */
import { describe, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bunFlags } from '../../src/runtime/bun-files.ts';
import { temporaryFolder } from '../support/folder.ts';
import { fromSource, runProgram } from '../support/process.ts';

const [bun = '', main = ''] = fromSource;
const isolated = [bun, ...bunFlags, main];

/** Runs the source with this command in a folder. */
const runIn = (cwd: string, command: string) => runProgram([command], { program: fromSource, cwd });

const strange = () => {
  const folder = temporaryFolder();
  writeFileSync(folder.file('.env'), 'PORT=nonsense\nexport LOG_LEVEL=nonsense\n');
  writeFileSync(folder.file('bunfig.toml'), 'preload = ["./preload.ts"]\n');
  writeFileSync(folder.file('preload.ts'), `console.log('preloaded');`);
  return folder;
};

describe('the .env and bunfig.toml of the working folder', () => {
  test.each(['the flags', 'its own first line'])(
    'a program that is started with %s does not read the .env and bunfig.toml of another folder',
    async (how) => {
      using folder = strange();
      using bin = temporaryFolder();
      symlinkSync(bun, bin.file('bun'));
      const executable = ['env', `PATH=${bin.path}:${process.env['PATH']}`, main];
      const program = how === 'the flags' ? isolated : executable;
      const database = folder.file('p.sqlite');
      expect(await runProgram(['migrate', '--database', database], { program, cwd: folder.path })).toMatchObject({
        exitCode: 0,
        stdout: expect.not.stringContaining('preloaded'),
      });
    },
  );

  test('if Bun has read the .env or bunfig.toml of another folder, the program exits with the way to start it', async () => {
    using folder = strange();
    const { exitCode, stderr } = await runIn(folder.path, 'migrate');
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `plant-store: File .env in this folder has settings of this program, and Bun has read it. Start with: bun --no-env-file --config=/dev/null ${main}\n`,
    );
    writeFileSync(folder.file('.env'), 'PORTAL=1\n# PORT=1\n');
    expect((await runIn(folder.path, 'migrate')).stderr).toContain('bunfig.toml in this folder preloads');
  });

  test('a preload in bunfig.toml is refused in every syntax', async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('p.ts'), '');
    for (const text of ['"preload" = ["./p.ts"]', 'preload="./p.ts"']) {
      writeFileSync(folder.file('bunfig.toml'), text);
      expect((await runIn(folder.path, 'version')).stderr).toContain('preloads code');
    }
  });

  test('a .env and a bunfig.toml that do not concern this program are ignored, and so is a folder named .env', async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('.env.local'), 'OTHER=1\n');
    mkdirSync(folder.file('.env'));
    writeFileSync(folder.file('bunfig.toml'), '[install]\nexact = true\n');
    expect((await runIn(folder.path, 'version')).exitCode).toBe(0);
  });

  test('a checkout may use its own bunfig.toml', async () => {
    expect((await runIn(join(main, '../../..'), 'version')).exitCode).toBe(0);
  });
});
