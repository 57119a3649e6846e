/** What a runtime does that is older than package.json requires. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { engines, version } from '../../package.json';
import { root } from '../../release/command.ts';
import { faultOf } from '../../src/runtime/oldest.ts';
import { runProgram } from '../support/programs/process.ts';
import { commandOf } from '../support/programs/programs.ts';
import { executableOf } from '../support/programs/runtimes.ts';

/** Bun and Deno also have the version of Node that they are compatible with. */
const node = '24.3.0';
const oldest = { bun: engines.bun.slice(2), deno: engines.deno.slice(2), node: engines.node.slice(2) };

test.each([
  [{ bun: '1.4.4', node }, `Bun ${oldest.bun} or later is required; this is Bun 1.4.4.`],
  [{ bun: '1.3.99', node }, `Bun ${oldest.bun} or later is required; this is Bun 1.3.99.`],
  [{ bun: '0.9.9', node }, `Bun ${oldest.bun} or later is required; this is Bun 0.9.9.`],
  [{ deno: '1.46.3' }, `Deno ${oldest.deno} or later is required; this is Deno 1.46.3.`],
  [{ deno: '2.1.4', node }, `Deno ${oldest.deno} or later is required; this is Deno 2.1.4.`],
  [{ node: '22.18.0' }, `Node.js ${oldest.node} or later is required; this is Node.js 22.18.0.`],
  [{ node: '20.20.2' }, `Node.js ${oldest.node} or later is required; this is Node.js 20.20.2.`],
])('the program does not start on %j, and says which version it needs', (versions, message) => {
  expect(faultOf(versions)).toBe(message);
});

test.each([
  { bun: '1.4.5', node },
  { bun: '1.4.10' },
  { bun: '1.10.0' },
  { bun: '2.0.0' },
  process.versions,
  { deno: '3.0.0', node },
  { node: '100.0.0' },
])('the program starts on %j', (versions) => {
  expect(faultOf(versions)).toBeUndefined();
});

/** The command with this version of Node. */
const pretend = (version: string, [node = '', ...main]: readonly string[]): readonly string[] => {
  const change = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return [node, '--import', `data:text/javascript,${change}`, ...main];
};

const refusalOf = (version: string) => ({
  exitCode: 1,
  stdout: '',
  stderr: `plant-store: Node.js ${oldest.node} or later is required; this is Node.js ${version}.\n`,
});

test.each(['node source', 'node package'] as const)('the %s ends with one line on an old Node', async (name) => {
  const program = pretend('20.20.2', commandOf(name));
  expect(await runProgram(['serve', '--demo'], { program })).toEqual(refusalOf('20.20.2'));
});

test('the first file of the package loads only the package.json in the bundle before it checks the version', async () => {
  const importsOf = async (path: string): Promise<string[]> => {
    const text = (await Bun.file(path).text()).replace(/^#!.*/, '');
    const imports = new Bun.Transpiler({ loader: 'js' }).scanImports(text);
    return imports.filter(({ kind }) => kind === 'import-statement').map((found) => join(path, '..', found.path));
  };
  const [, main = ''] = commandOf('node package');
  const first = await importsOf(main);
  expect(first).toHaveLength(1);
  expect(await importsOf(first[0] ?? '')).toEqual([]);
});

test('a Node that lacks modules and functions of the needed version gets as far as the check of its version', async () => {
  const withoutHooks = `import modules, { syncBuiltinESMExports } from 'node:module'; delete modules.registerHooks; syncBuiltinESMExports();`;
  const flags = ['--no-experimental-sqlite', '--import', `data:text/javascript,${withoutHooks}`];
  const [node = '', ...main] = commandOf('node source');
  const program = [node, ...flags, ...main];
  expect(await runProgram(['version'], { program })).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});

const versionOf = async (executable: string): Promise<string> =>
  (await Bun.spawn([executable, '--version']).stdout.text()).trim().slice(1);

const startNode = join(root, 'src/main-on-node.js');

test('start:node starts the program, and ends with one line on a Node that cannot read TypeScript', async () => {
  const program = [executableOf('node'), startNode];
  expect(await runProgram(['version'], { program })).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  const withoutTypes = [executableOf('node'), '--no-strip-types', startNode];
  expect(await runProgram(['version'], { program: withoutTypes })).toEqual(
    refusalOf(await versionOf(executableOf('node'))),
  );
});

/** The Node of the machine, if it is too old. Debian and its CI images often have one. */
const oldNode = Bun.which('node', { PATH: '/usr/bin:/usr/local/bin' }) ?? '';
const oldVersion = oldNode === '' ? oldest.node : await versionOf(oldNode);

test.skipIf(oldVersion.localeCompare(oldest.node, 'en', { numeric: true }) >= 0)(
  'the package and start:node end with one line on the old Node of this machine',
  async () => {
    const [, main = ''] = commandOf('node package');
    for (const file of [main, startNode])
      expect(await runProgram(['version'], { program: [oldNode, file] })).toEqual(refusalOf(oldVersion));
  },
);
