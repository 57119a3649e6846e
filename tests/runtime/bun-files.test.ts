/** The files of the working folder that Bun reads before the program starts. */
import { expect, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { runtime } from '../../src/runtime/bun.ts';
import { temporaryFolder } from '../support/folder.ts';
import { fromSource, runProgram } from '../support/programs/process.ts';

const [bun = '', main = ''] = fromSource;

test.each(['the flags', 'its own first line'])(
  'a program that is started with %s does not read the .env and bunfig.toml of its folder',
  async (how) => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('.env'), 'PORT=nonsense\nexport LOG_LEVEL=nonsense\n');
    writeFileSync(folder.file('bunfig.toml'), 'preload = ["./preload.ts"]\n');
    writeFileSync(folder.file('preload.ts'), `console.log('preloaded');`);
    using bin = temporaryFolder();
    symlinkSync(bun, bin.file('bun'));
    const executable = ['env', `PATH=${bin.path}:${process.env['PATH']}`, main];
    const program = how === 'the flags' ? [bun, ...runtime.flags, main] : executable;
    const database = folder.file('p.sqlite');
    expect(await runProgram(['migrate', '--database', database], { program, cwd: folder.path })).toMatchObject({
      exitCode: 0,
      stdout: expect.not.stringContaining('preloaded'),
    });
  },
);
