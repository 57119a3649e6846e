import { expect, test } from 'bun:test';
import { engines, version } from '../../package.json';
import { refuseOldRuntime } from '../../src/cli/package.ts';
import { runProgram } from '../support/process.ts';
import { commandOf } from '../support/programs.ts';

const titles = { bun: 'Bun', deno: 'Deno', node: 'Node.js' };

test.each([
  ['bun', '1.4.4', 'Bun 1.4.5 or later is required; this is Bun 1.4.4.'],
  ['bun', '1.3.99', 'Bun 1.4.5 or later is required; this is Bun 1.3.99.'],
  ['bun', '0.9.9', 'Bun 1.4.5 or later is required; this is Bun 0.9.9.'],
  ['deno', '1.46.3', `Deno ${engines.deno.slice(2)} or later is required; this is Deno 1.46.3.`],
  ['node', '22.18.0', `Node.js ${engines.node.slice(2)} or later is required; this is Node.js 22.18.0.`],
] as const)('the program does not start on %s %s, and says which version it needs', (name, version, sentence) => {
  expect(() => refuseOldRuntime({ name, title: titles[name], version })).toThrow(sentence);
});

test.each([
  ['bun', '1.4.5'],
  ['bun', '1.4.10'],
  ['bun', '1.10.0'],
  ['bun', '2.0.0'],
  ['bun', Bun.version],
  ['deno', '3.0.0'],
  ['node', '100.0.0'],
] as const)('the program starts on %s %s', (name, version) => {
  expect(() => refuseOldRuntime({ name, title: titles[name], version })).not.toThrow();
});

test('a Node that lacks modules and functions of the needed version gets as far as the check of its version', async () => {
  const withoutHooks = `import modules, { syncBuiltinESMExports } from 'node:module'; delete modules.registerHooks; syncBuiltinESMExports();`;
  const flags = ['--no-experimental-sqlite', '--import', `data:text/javascript,${withoutHooks}`];
  const [node = '', ...main] = commandOf('node source');
  const program = [node, ...flags, ...main];
  expect(await runProgram(['version'], { program })).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});
