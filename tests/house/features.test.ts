/** Checks the features of the map, FEATURES.md, and the tools that `bun run conformance` runs: all their references exist. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerSchema, type Validator, validate } from '@hyperjump/json-schema/draft-2020-12';
import { parse } from 'yaml';
import { installedIn, readPins } from '../../conformance/pins.ts';
import { nameOfPackage, tools as running } from '../../conformance/runs.ts';
import { readFeatures } from '../../map/features.ts';
import { featuresPage } from '../../map/features-page.ts';
import { readCases, type TestName } from '../../map/measure/case.ts';
import { valueAt } from '../../src/base/json-pointer.ts';

const root = join(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const matrix = await readFeatures();
const { features, tools } = matrix;
const cases = await readCases();

test('FEATURES.md has the results of the map; `bun run generate` updates it', async () => {
  expect(read('map/FEATURES.md')).toBe(await featuresPage());
});

test('every link within FEATURES.md leads to one heading', () => {
  const page = read('map/FEATURES.md');
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor = '']) => anchor);
  expect(links.length).toBeGreaterThanOrEqual(features.length);
  expect(links.filter((link) => anchors.filter((anchor) => anchor === link).length !== 1)).toEqual([]);
});

describe('the schema of the features in the npm package', () => {
  const validatorOf = async (): Promise<Validator> => {
    const id = 'https://plant-store.test/features.schema.json';
    registerSchema(JSON.parse(read('map/features.schema.json')), id);
    return validate(id);
  };
  const validator = validatorOf();

  test('the features are valid against features.schema.json', async () => {
    expect((await validator)(JSON.parse(JSON.stringify(matrix)), 'BASIC')).toMatchObject({ valid: true });
  });

  test.each([
    [
      'a verdict that is not in the list',
      (tool: { verdicts: object[] }) => tool.verdicts.push({ ...tool.verdicts[0], verdict: 'good' }),
    ],
    ['a tool with an unknown member', (tool: object) => Object.assign(tool, { author: 'a' })],
    ['a tool without a version', (tool: { version?: string }) => delete tool.version],
  ])('features.schema.json refuses %s', async (_what, change) => {
    const changed = JSON.parse(JSON.stringify(matrix));
    change(changed.tools[0]);
    expect((await validator)(changed)).toMatchObject({ valid: false });
  });
});

test('every JSON Pointer of a feature leads to a place in its document', () => {
  // A feature that the service does not use has no document.
  const paths = [...new Set(features.map(({ use }) => use.document))].filter((path) => path !== '');
  const documents = new Map<string, unknown>(paths.map((path) => [path, parse(read(`openapi/${path}`))]));
  const lost = features.flatMap(({ use }) =>
    use.pointers.filter((pointer) => valueAt(documents.get(use.document), pointer) === undefined),
  );
  expect(lost).toEqual([]);
  expect(valueAt({ 'a/b': [{ '~': 1 }] }, '/a~1b/0/~0')).toBe(1);
  expect(valueAt({ a: 1 }, '/b/c')).toBeUndefined();
});

test('every test that a feature names is in its file', () => {
  const named = cases.flatMap(({ use }) => use?.tests ?? []);
  expect(named.length).toBeGreaterThan(features.filter(({ use }) => use.document !== '').length);
  expect(named.filter((reference) => !isTest(reference))).toEqual([]);
  const file = 'conformance/openapi-3.2.test.ts';
  const name = 'Spectral: the schema of 3.2 is known, and every example needs a value';
  expect([name, `${name} `, 'Redocly', 'Redocly: '].map((test) => isTest({ file, test }))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('the tests that `bun run conformance` runs with a tool are in their files', () => {
  const named = running.flatMap(({ runs }) => runs.filter((run) => 'file' in run));
  expect(named.length).toBeGreaterThan(5);
  expect(
    named.filter(({ file, startsWith = '' }) => !new RegExp(`['"\`]${RegExp.escape(startsWith)}`).test(read(file))),
  ).toEqual([]);
});

test('tool names are unique, and each tool has one verdict per feature', () => {
  const ids = features.map(({ id }) => id);
  expect(duplicatesIn(tools.map(({ name }) => name))).toEqual([]);
  expect(duplicatesIn(running.map(({ name }) => name))).toEqual([]);
  expect(tools.flatMap(({ verdicts }) => verdicts.filter(({ feature }) => !ids.includes(feature)))).toEqual([]);
  expect(tools.flatMap(({ verdicts }) => duplicatesIn(verdicts.map(({ feature }) => feature)))).toEqual([]);
});

test('every tool that `bun run conformance` runs is pinned', () => {
  const pins = readPins();
  expect(running.length).toBeGreaterThan(5);
  expect(running.map(nameOfPackage).filter((name) => !pins.has(name))).toEqual([]);
});

test.each([
  // conformance/scalar-licences.ts reads only the licence of the first package, and the Python clients of streams read from the second.
  ['conformance', running, ['npm unist-util-find-after', 'pypi httpx']],
  // Four build and check the site, Playwright opens viewers, and express-openapi-validator runs in express.
  [
    'map',
    tools,
    [
      'npm @fontsource-variable/inter',
      'npm axe-core',
      'npm badge-maker',
      'npm express',
      'npm hono',
      'npm playwright-core',
    ],
  ],
])('every package that %s/ installs is one of its tools, or has another use', (folder, measured, others) => {
  const known = measured.map(nameOfPackage);
  const installed = installedIn(folder);
  expect(installed.length).toBeGreaterThan(5);
  expect(installed.filter((name) => !known.includes(name) && !name.startsWith('npm @types/'))).toEqual(others);
});

const duplicatesIn = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);

/**
 * Whether the file has a test of this name: an argument of a call that is not `describe`. A table makes names such as
 * `tool: sentence`, and then the file has both texts.
 */
const isTest = ({ file, test: name }: TestName): boolean => {
  const source = read(file);
  const [tool = '', ...rest] = name.split(': ');
  const sentence = rest.join(': ');
  return (
    hasText(source, name, '(?<!describe)\\(\\s*') ||
    (hasText(source, tool) && sentence !== '' && (sentence === '%s' || hasText(source, sentence)))
  );
};

/** Whether the source has the text as a literal, directly after a match of the pattern `before`. */
const hasText = (source: string, text: string, before = ''): boolean =>
  [`'${text.replaceAll(/['\\]/g, '\\$&')}'`, `"${text}"`].some((literal) =>
    new RegExp(before + RegExp.escape(literal)).test(source),
  );
