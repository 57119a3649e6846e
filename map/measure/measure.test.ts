/** What is asked of a small tool, and when it is asked again. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Abilities, Adapter } from './adapter.ts';
import { type Case, readCases } from './case.ts';
import type { Installation } from './installation.ts';
import { measure } from './measure.ts';
import { Refusal } from './session.ts';
import { hashOf } from './source-hash.ts';

const folder = mkdtempSync(join(tmpdir(), 'map-measure-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

const adapterOf = (abilities: Abilities, code = 'export const tool = {};'): Adapter => {
  const path = join(folder, `adapter-${files++}.ts`);
  writeFileSync(path, code);
  return {
    id: 'tool',
    path,
    name: 'Tool',
    kind: 'viewer',
    language: 'TypeScript',
    registry: 'npm',
    package: 'tool',
    version: '1.0.0',
    abilities,
  };
};

const document = { openapi: '3.1.1', info: { title: 'Plants', version: '1' }, paths: {} };

const feature: Case = {
  id: 'info',
  folder,
  name: 'a title',
  since: '3.1',
  meaning: 'It has a title.',
  why: 'It has a name.',
  yaml: JSON.stringify(document),
  document,
  beside: new Map(),
  checks: { show: [{ check: 'the title', isBasic: true, text: 'Plants' }] },
  variants: [
    {
      name: 'in capitals',
      changes: { '/info/title': 'PLANTS' },
      checks: { show: [{ check: 'the title', isBasic: true, text: 'PLANTS' }] },
    },
  ],
};

const installation: Installation = {
  version: '1.0.0',
  usage: 'show openapi.yaml',
  folder,
  program: (name) => [name],
  shown: (name) => name,
  import: (name) => import(name),
};

/** It shows the title, or always the same. */
const show: Abilities['show'] = async (session) => JSON.stringify(session.document);
const showOne: Abilities['show'] = async () => 'Plants';

const grades = async (abilities: Abilities) =>
  (await measure(adapterOf(abilities), installation, feature)).map(({ check, isBasic, grade }) => [
    check,
    isBasic,
    grade,
  ]);

test('a variant is asked on its own document, and its basic checks count only if they are not right', async () => {
  expect(await grades({ show })).toEqual([
    ['the document', true, 'right'],
    ['the title', true, 'right'],
  ]);
  expect((await grades({ show: showOne })).at(-1)).toEqual(['the title, in capitals', false, 'wrong']);
});

const rewriteCase: Case = {
  ...feature,
  yaml: '{ info: { title: 9007199254740993 } }',
  document: { info: { title: 9007199254740993n } },
  checks: { rewrite: [{ check: 'the number', pointer: '/info/title', value: 9007199254740993n }] },
  variants: [],
};

test.each([
  ['right', 'the same number', '{"info":{"title":9007199254740993}}'],
  ['right', 'the same number in YAML', 'info:\n  title: 9007199254740993\n'],
  ['wrong', 'a rounded number', '{"info":{"title":9007199254740992}}'],
  ['wrong', 'a text', '{"info":{"title":"9007199254740993"}}'],
  ['wrong', 'nothing', '{"info":{}}'],
])('a document is %s that is written again with %s', async (grade, _what, text) => {
  const results = await measure(adapterOf({ rewrite: async () => text }), installation, rewriteCase);
  expect(results.at(-1)).toMatchObject({ check: 'the number', grade });
});

const sampleCase: Case = {
  ...feature,
  document: { ...document, components: { schemas: { Plant: { type: 'object', required: ['id'] } } } },
  checks: {
    sample: [
      { check: 'a valid sample', schema: 'Plant' },
      { check: 'one sample', schema: 'Plant', value: { id: 1 } },
    ],
  },
  variants: [],
};

test.each([
  [['right', 'right'], '{"id":1}'],
  [['right', 'ignored'], '{"id":2}'],
  [['ignored', 'ignored'], '{}'],
  [['ignored', 'ignored'], 'id'],
])('the checks of a sample are %p for %s', async (expected, text) => {
  const results = await measure(adapterOf({ sample: async () => [text, text] }), installation, sampleCase);
  expect(results.slice(1).map(({ grade }) => `${grade}`)).toEqual(expected);
});

test('evidence does not say where the tool is installed', async () => {
  const results = await measure(
    adapterOf({
      load: async () => {
        throw new Refusal(`Error: no title at ${folder}/node_modules/tool/index.js`);
      },
    }),
    installation,
    feature,
  );
  expect(results[0]?.line).toBe('Error: no title at node_modules/tool/index.js');
});

test('the files that a document names are beside it', async () => {
  const show: Abilities['show'] = ({ file }) => Bun.file(file('leaf.svg')).text();
  const checks = { show: [{ check: 'the file', text: '<svg/>' }] };
  const results = await measure(adapterOf({ show }), installation, {
    ...feature,
    beside: new Map([['leaf.svg', '<svg/>']]),
    checks,
    variants: [],
  });
  expect(results.map(({ grade }) => `${grade}`)).toEqual(['right', 'right']);
});

test('a file in a folder beside the document is there too, by its path', async () => {
  const one = (await readCases()).find(({ id }) => id === 'relative-ref');
  const load: Abilities['load'] = async ({ file, beside }) => {
    expect([...beside.keys()]).toEqual(['schemas/leaf.schema.json', 'schemas/plant.schema.json']);
    for (const [name, text] of beside) expect(await Bun.file(file(name)).text()).toBe(text);
  };
  expect(one).toBeDefined();
  if (one) expect(await measure(adapterOf({ load }), installation, { ...one, checks: {} })).toHaveLength(1);
});

test('an ability that the tool does not have is not asked', async () => {
  expect(await grades({})).toEqual([]);
});

const hash = hashOf(adapterOf({ show }), feature, '1.0.0');

test.each<[string, string]>([
  ['another version', hashOf(adapterOf({ show }), feature, '2.0.0')],
  [
    'another file beside the document',
    hashOf(adapterOf({ show }), { ...feature, beside: new Map([['a', '']]) }, '1.0.0'),
  ],
  ['another document', hashOf(adapterOf({ show }), { ...feature, yaml: '' }, '1.0.0')],
  ['other code of the adapter', hashOf(adapterOf({ show }, 'export const tool = { a: 1 };'), feature, '1.0.0')],
  ['another ability', hashOf(adapterOf({ show, code: show }), feature, '1.0.0')],
  ['another check', hashOf(adapterOf({ show }), { ...feature, checks: { show: [] } }, '1.0.0')],
  ['no variant', hashOf(adapterOf({ show }), { ...feature, variants: [] }, '1.0.0')],
])('a tool with %s is measured again', (_, other) => {
  expect(other).not.toBe(hash);
});

test.each<[string, string]>([
  ['the same', hashOf(adapterOf({ show }), feature, '1.0.0')],
  ['other words in the case', hashOf(adapterOf({ show }), { ...feature, why: 'It is called so.' }, '1.0.0')],
  ['a comment', hashOf(adapterOf({ show }, '/** A tool. */\nexport const tool = {};'), feature, '1.0.0')],
  [
    'a check of an ability that it does not have',
    hashOf(adapterOf({ show }), { ...feature, checks: { ...feature.checks, code: [] } }, '1.0.0'),
  ],
])('a tool with %s is not measured again', (_, other) => {
  expect(other).toBe(hash);
});
