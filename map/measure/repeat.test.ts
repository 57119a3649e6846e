/** What `bun run map --keep` writes: a folder that gives the printed line again, for verdicts of tools that CI measures. */
import { expect, test } from 'bun:test';
import { cpSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAdapters } from './adapter.ts';
import { readCases } from './case.ts';
import { install } from './installation.ts';
import { hasLine, installationOf, keep } from './keep.ts';
import { pairsToRepeat, repeat, sampleOf } from './repeat.ts';

/** Commands of generators, which are pinned too. */
const generators = ['oazapfts', 'openapi-zod-client', 'typed-openapi'];
const quick = (await readAdapters()).filter(({ id, isQuick }) => isQuick || generators.includes(id));
const pairs = pairsToRepeat(quick, await readCases());

// One for each tool that has one: a command, a library, a server, and generated code.
const chosen = quick.flatMap(({ id }) => pairs.find(({ adapter }) => adapter.id === id) ?? []);

test.each(chosen.map(({ adapter, feature }) => [adapter.id, feature.id]))(
  'the folder of %s and %s gives the line of the evidence',
  async (tool, feature) => {
    const pair = pairs.find((one) => one.adapter.id === tool && one.feature.id === feature);
    if (pair === undefined) throw new Error('There is no such pair.');
    expect(await repeat(pair)).toBeUndefined();
  },
);

test('a folder that gives another line repeats nothing', async () => {
  const [pair] = pairs;
  if (pair === undefined) throw new Error('There is no pair.');
  const { id } = pair.adapter;
  const answering = { ...pair, adapter: { ...pair.adapter, abilities: { load: async () => undefined } } };
  expect(await repeat(answering)).toContain('no answer is that to');
  rmSync(join(import.meta.dir, '../../reports/kept', id), { recursive: true, force: true });
});

test.each([
  ['Error: no title', 'one\nError:   no title\ntwo', true],
  ['a "name" at 127.0.0.1:80', '{"line":"a \\"name\\" at 127.0.0.1:90"}', true],
  ['Error: no title', 'error: no title', true],
  ['Error: no title', 'Error: no name', false],
  ['failed; the server answers 400 to POST /a {"b": 1}', 'failed; the server answers 400 to POST /a {"b": 2}', true],
  ['failed; the server answers 400 to POST /a {"b": 1}', 'failed; the server answers 200 to POST /a {"b": 1}', false],
])('the line %p in %p: %p', (line, output, isThere) => {
  expect(hasLine(output, line)).toBe(isThere);
});

test('a sample is from the whole list, and has all in turn', () => {
  const all = Array.from({ length: 50 }, (_, index) => index);
  const days = Array.from({ length: 10 }, (_, day) => sampleOf(all, 5, day));
  expect(days.every((sample) => sample.length === 5)).toBe(true);
  expect(new Set(days.flat()).size).toBe(50);
  expect(sampleOf([1, 2], 5, 3)).toEqual([1, 2]);
  // Where the size is no part of the length.
  const sevenDays = Array.from({ length: 7 }, (_, day) => sampleOf([1, 2, 3, 4, 5, 6, 7], 4, day));
  expect(sevenDays.every((sample) => sample.length === 4)).toBe(true);
  expect(new Set(sevenDays.flat()).size).toBe(7);
});

const runRepeat = (...options: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, 'run.ts', 'repeat', ...options], {
    cwd: join(import.meta.dir, '..'),
  });
  return { exitCode, text: `${stdout}${stderr}` };
};

test.each([
  [['--tool', 'absent'], 2, 'There is no tool absent'],
  [['--feature', 'absent', '--sample', '1'], 2, 'There is no feature absent'],
  [['--sample', '0'], 2, '--sample needs a number'],
  [['--sample', 'four'], 2, '--sample needs a number'],
  // The tool refuses nothing of it.
  [['--tool', 'openapi-typescript', '--feature', 'openapi-3-1', '--sample', '4'], 1, 'There is no verdict to repeat'],
])('a repetition with %p ends with %p', (options, expected, message) => {
  const { exitCode, text } = runRepeat(...options);
  expect(text).toContain(message);
  expect(exitCode).toBe(expected);
});

test('a sample of a tool that is named is of its verdicts, whether CI measures it or not', () => {
  const tool = 'typed-openapi';
  expect(generators).toContain(tool);
  expect(quick.find(({ id }) => id === tool)?.isQuick).not.toBe(true);
  const { exitCode, text } = runRepeat('--tool', tool, '--sample', '1');
  expect(text).toMatch(/^1\/1 repeated typed-openapi, /m);
  expect(exitCode).toBe(0);
});

test('the folder has the files that are in a folder beside the document', async () => {
  const adapter = quick.find(({ id }) => id === 'oazapfts');
  const feature = (await readCases()).find(({ id }) => id === 'relative-ref');
  if (adapter === undefined || feature === undefined) throw new Error('There is no such pair.');
  const root = mkdtempSync(join(tmpdir(), 'map-kept-'));
  const [kept] = await keep(adapter, feature, { version: adapter.version, root });
  const names = [...new Bun.Glob('schemas/*').scanSync(kept?.folder ?? root)].sort();
  rmSync(root, { recursive: true });
  expect(names).toEqual([...feature.beside.keys()]);
});

test('the folder of a library asks it again, where its answer is right too', async () => {
  const adapter = quick.find(({ id }) => id === 'openapi-sampler');
  const feature = (await readCases()).find(({ id }) => id === 'const-one-of');
  if (adapter === undefined || feature === undefined) throw new Error('There is no such pair.');
  const root = mkdtempSync(join(tmpdir(), 'map-kept-'));
  const [kept] = await keep(adapter, feature, { version: adapter.version, root });
  const { exitCode, stdout } = Bun.spawnSync(['sh', join(kept?.folder ?? root, 'repeat.sh')]);
  rmSync(root, { recursive: true });
  expect(kept?.results.map(({ grade }) => grade)).toEqual(['right']);
  expect(exitCode).toBe(0);
  expect(`${stdout}`).toContain('a sample of an event: {"type":"plant.created"');
});

/** The type of a feature is asked with the compiler of this repository. */
const copied = ['with a command of the tool', 'with a compiler'] as const;

test.each(copied)('a copy of the folder elsewhere installs the tool, and gives the line, %s', async (kind) => {
  const isTyped = kind === 'with a compiler';
  const pair = pairs.find(
    ({ adapter, feature }) => adapter.id === 'oazapfts' && (feature.id === 'unevaluated-properties' || !isTyped),
  );
  if (pair === undefined) throw new Error('There is no pair.');
  const root = mkdtempSync(join(tmpdir(), 'map-kept-'));
  const { adapter, feature } = pair;
  const kept = await keep(adapter, feature, { version: adapter.version, root: join(root, 'kept') });
  const decided = kept.find(({ results }) =>
    results.some(({ grade, line }) => grade !== 'right' && line !== undefined),
  );
  const wanted = decided?.results.find(({ grade, line }) => grade !== 'right' && line !== undefined)?.line ?? '';
  const copy = join(root, 'copy');
  const isPart = (path: string) => !lstatSync(path).isSymbolicLink() && !path.endsWith('/env.sh');
  cpSync(decided?.folder ?? '', copy, { recursive: true, filter: isPart });
  const script = readFileSync(join(copy, 'repeat.sh'), 'utf8');
  const { stdout, stderr } = Bun.spawnSync(['sh', join(copy, 'repeat.sh')], { cwd: '/' });
  rmSync(root, { recursive: true });
  expect(wanted).not.toBe('');
  expect(script).not.toContain(join(import.meta.dir, '../..'));
  expect(script.includes('npx --yes -p typescript@')).toBe(isTyped);
  const output = Bun.stripANSI(`${stdout}${stderr}`).replaceAll(`${copy}/`, '');
  expect(hasLine(output, wanted) ? wanted : output).toBe(wanted);
});

test('a type that is asked with the compiler of this repository is repeated', async () => {
  const pair = pairs.find(
    ({ adapter, feature }) => adapter.id === 'oazapfts' && feature.id === 'unevaluated-properties',
  );
  if (pair === undefined) throw new Error('There is no pair.');
  expect(await repeat(pair)).toBeUndefined();
});

test('a program of this repository is shown by its name', async () => {
  const adapter = quick.find(({ id }) => id === 'oazapfts');
  if (adapter === undefined) throw new Error('There is no such tool.');
  const { shown } = await install(adapter);
  expect(shown(join(import.meta.dir, '../../node_modules/.bin/tsc'))).toMatch(/^npx --yes -p typescript@[\d.]+ tsc$/);
  expect(shown(process.execPath)).toBe('bun');
  expect(shown('/usr/bin/env')).toBe('/usr/bin/env');
});

const published = { package: 'tool', version: '1.0.0', with: { other: '2.0.0' } };

test.each([
  ['npm', 'tool@1.1.0 other@2.0.0'],
  ['pypi', 'pip install --quiet tool==1.1.0 other==2.0.0'],
  ['go', 'go install tool@v1.1.0'],
  ['cargo', 'cargo install --quiet --locked --root . --version 1.1.0 tool'],
  ['maven', '-Dartifact=other:2.0.0'],
] as const)('a copy of the folder of a tool of %s has the command %p', (registry, command) => {
  expect(installationOf({ registry, ...published }, '1.1.0').join('\n')).toContain(command);
});
