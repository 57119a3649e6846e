/** A database on a disk without a free byte can be read, on each runtime. `bun run faults --trial disk` fills the disk of a service. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../support/folder.ts';
import { createPlant, giveToken } from '../support/network/served.ts';
import { runProgram, startServer } from '../support/programs/process.ts';
import { commandOf } from '../support/programs/programs.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';

let folder: ReturnType<typeof temporaryFolder>;
let disk: string;
beforeEach(() => {
  folder = temporaryFolder();
  disk = folder.file('disk');
  mkdirSync(disk);
});
afterEach(() => {
  unmount();
  folder[Symbol.dispose]();
});

const mount = (): boolean =>
  Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk], { stderr: 'ignore' }).success;
const unmount = (): boolean => Bun.spawnSync(['umount', '--lazy', disk], { stderr: 'ignore' }).success;

const canMount = (() => {
  using folder = temporaryFolder();
  disk = folder.path;
  return mount() && unmount();
})();

/** Writes until there is no space for another byte. */
const fill = (): string => {
  const file = `${disk}/fill`;
  for (const bytes of [4096, 1])
    for (let isFull = false; !isFull; )
      try {
        writeFileSync(file, new Uint8Array(bytes), { flag: 'a' });
      } catch {
        isFull = true;
      }
  return file;
};

// A file system cannot be mounted by every user.
describe.skipIf(!canMount).each(runtimeNames)('on %s, without a free byte', (runtime) => {
  test.each([
    ['after a clean stop', 'SIGTERM'],
    ['after a kill that left the changes in the log', 'SIGKILL'],
  ] as const)('%s, commands read the database, and a service starts once there is space', async (_, signal) => {
    mount();
    const database = `${disk}/plants.sqlite`;
    const options = { program: commandOf(`${runtime} source`) };
    const token = await giveToken(database);
    const server = await startServer(database, options);
    await createPlant(server.url, token, '{"id":9223372036854775807,"name":"kept"}');
    server.kill(signal);
    await server.exited;
    // As after a restart of a machine that has it in memory.
    rmSync(`${database}-shm`, { force: true });
    const filling = fill();

    const run = (...args: string[]) => runProgram([...args, '--database', database], options);
    for (const [shown, ...args] of [
      ['{"id":9223372036854775807,"name":"kept"', 'export', '-'],
      ['9223372036854775807\tkept', 'plants'],
      ['tok_', 'token', 'list'],
    ] as const) {
      const { exitCode, stdout } = await run(...args);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining(shown) });
    }
    const copy = folder.file('backup.sqlite');
    expect(await run('backup', copy)).toMatchObject({ exitCode: 0 });
    expect((await runProgram(['export', '-', '--database', copy])).stdout).toContain('"kept"');
    await expect(startServer(database, options)).rejects.toThrow('cannot be opened: the disk is full');

    rmSync(filling);
    await using again = await startServer(database, options);
    await createPlant(again.url, token, '{"id":1,"name":"new"}');
    expect((await run('export', '-')).stdout).toContain('"new"');
  });
});
