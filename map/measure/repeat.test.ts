/** What `bun run map --keep` writes: a folder that gives the printed line again, for verdicts of tools that CI measures. */
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readAdapters } from './adapter.ts';
import { readCases } from './case.ts';
import { hasLine } from './keep.ts';
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
  60_000,
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
});
