/** The client of `examples/eden/`, in a project outside this checkout that installs the npm package. */
import { beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../release/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { giveToken } from '../support/network/served.ts';
import { buildPackage, packedTarball } from '../support/programs/built-program.ts';
import { runProgram, startServer } from '../support/programs/process.ts';
import { commandOn, runtimeNames } from '../support/programs/runtimes.ts';

/** What the README installs beside the package. They are links to those of this checkout, so that nothing is downloaded. */
const others = ['elysia', '@elysiajs/eden', '@types/node'];

const createProject = async () => {
  const folder = temporaryFolder();
  cpSync(join(root, 'examples/eden'), folder.path, { recursive: true });
  writeFileSync(folder.file('package.json'), '{ "type": "module" }');
  const run = (program: readonly string[], env = {}) => runProgram([], { program, cwd: folder.path, env });
  expect((await run([process.execPath, 'add', packedTarball])).exitCode).toBe(0);
  for (const name of others) {
    const link = folder.file(`node_modules/${name}`);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  /** Returns the errors of the compiler, a line each. */
  const compile = async (...options: string[]): Promise<string[]> => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run([process.execPath, compiler, '--checkers', '1', ...options]);
    return stdout.split('\n').filter((line) => /^\S.*: error /.test(line));
  };
  return { ...folder, run, compile };
};

beforeAll(buildPackage);

test('the project of the example compiles, and the package adds no error to those of Elysia and Eden', async () => {
  using project = await createProject();
  expect(await project.compile()).toEqual([]);
  const errors = await project.compile('--skipLibCheck', 'false');
  expect(errors.filter((line) => !/\bnode_modules\/(?:elysia|@elysiajs\/eden)\//.test(line))).toEqual([]);
});

test.skipIf(!Bun.which('npm'))(
  'the first commands of the README make a package of ES modules, as the example is',
  async () => {
    using folder = temporaryFolder();
    const readme = readFileSync(join(root, 'examples/eden/README.md'), 'utf8');
    const commands = [...readme.matchAll(/^npm (?:init|pkg) .*$/gm)].map(([command]) => command.split(' '));
    expect(commands).toHaveLength(2);
    for (const command of commands)
      expect((await runProgram([], { program: command, cwd: folder.path })).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(folder.file('package.json'), 'utf8')).type).toBe('module');
  },
);

test('the compiler refuses a path, a body and a member that the service does not have', async () => {
  using project = await createProject();
  const program = (call: string) => `
    import { createClient } from './client.ts';
    const api = createClient('', '');
    console.log(${call});`;
  const calls = [
    'await api.plantz.get()',
    "await api.plants.post({ id: 1, name: 'n' })",
    "(await api.plants({ id: '1' }).get()).data?.colour",
    'await api.plants.get({ query: { tags: 1 } })',
  ];
  for (const [index, call] of calls.entries()) writeFileSync(project.file(`call-${index}.ts`), program(call));
  const refused = (await project.compile()).map((line) => /^call-\d/.exec(line)?.[0]);
  expect(refused).toEqual(calls.map((_, index) => `call-${index}`));
});

test.each(runtimeNames)(
  'the example creates, reads, changes, lists and deletes the first and the last id, on %s',
  async (name) => {
    using project = await createProject();
    const database = project.file('p.sqlite');
    const token = await giveToken(database);
    await using server = await startServer(database);
    const env = { PLANT_STORE_URL: server.url, PLANT_STORE_TOKEN: token };
    const { exitCode, stdout, stderr } = await project.run(commandOn(name, 'example.ts'), env);
    expect({ exitCode, stderr, stdout }).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: ['-9223372036854775808', '9223372036854775807']
        .map((id) => `Plant ${id} was created, read, changed, listed and deleted.\n`)
        .join(''),
    });
  },
);

test('docs/elysia.md shows a part of the example', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const shown = [...read('docs/elysia.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(shown).toHaveLength(1);
  expect(shown.filter((code) => !read('examples/eden/example.ts').includes(code))).toEqual([]);
});
