/** Errors that no code handles. */
import { expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { fromSource, runProgram } from '../support/programs/process.ts';

test.each([
  ['thrown', 'throw error;'],
  ['rejected', "void Promise.reject(error); setTimeout(() => process.kill(process.pid, 'SIGTERM'));"],
])('of an error that is %s and not handled, only what the report of an error has is printed', async (_, raise) => {
  using folder = temporaryFolder();
  const preload = folder.file('preload.ts');
  await Bun.write(
    preload,
    `const error = Object.assign(new Error('whole'), { code: 'P1', detail: 'a hidden row' });
    const timer = setInterval(() => {
      if (process.listenerCount('SIGTERM') === 0) return;
      clearInterval(timer);
      ${raise}
    });`,
  );
  const [bun = '', ...main] = fromSource;
  const program = [bun, '--preload', preload, ...main];
  const { exitCode, stderr } = await runProgram(['listen', '--port', '0'], { program });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('plant-store: Error (code P1)\n');
  expect(stderr).not.toContain('hidden');
});
