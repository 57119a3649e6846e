/** Checks `features.json`: all its references exist, and FEATURES.md is generated from it. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerSchema, type Validator, validate } from '@hyperjump/json-schema/draft-2020-12';
import { parse } from 'yaml';
import { readFeatureMatrix, runsOf, type TestReference, type Tool } from '../../conformance/features.ts';
import { renderPage } from '../../conformance/features-page.ts';

const root = join(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const { features, tools } = readFeatureMatrix();
const allVerdicts = tools.flatMap(({ verdicts }) => verdicts);

test('FEATURES.md is generated from features.json; `bun run features` updates it', () => {
  expect(read('conformance/FEATURES.md')).toBe(renderPage({ features, tools }));
});

test('every link within FEATURES.md leads to one heading', () => {
  const page = read('conformance/FEATURES.md');
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor = '']) => anchor);
  expect(links.length).toBeGreaterThan(features.length);
  expect(links.filter((link) => anchors.filter((anchor) => anchor === link).length !== 1)).toEqual([]);
});

describe('the schema of features.json', () => {
  const validatorOf = async (): Promise<Validator> => {
    const id = 'https://plant-store.test/features.schema.json';
    registerSchema(JSON.parse(read('conformance/features.schema.json')), id);
    return validate(id);
  };
  const validator = validatorOf();

  test('features.json is valid against features.schema.json', async () => {
    expect((await validator)(JSON.parse(read('conformance/features.json')), 'BASIC')).toMatchObject({ valid: true });
  });

  test.each([
    [
      'a verdict that is not in the list',
      (tool: { verdicts: object[] }) => tool.verdicts.push({ ...allVerdicts[0], verdict: 'good' }),
    ],
    ['a tool with an unknown member', (tool: object) => Object.assign(tool, { author: 'a' })],
    ['a tool without a version', (tool: { version?: string }) => delete tool.version],
  ])('features.schema.json refuses %s', async (_what, change) => {
    const matrix = JSON.parse(read('conformance/features.json'));
    change(matrix.tools[0]);
    expect((await validator)(matrix)).toMatchObject({ valid: false });
  });
});

test('every JSON Pointer of a feature leads to a place in its document', () => {
  const paths = [...new Set(features.map(({ document }) => document))];
  const documents = new Map<string, unknown>(paths.map((path) => [path, parse(read(`openapi/${path}`))]));
  const lost = features.flatMap(({ document, pointers }) =>
    pointers.filter((pointer) => at(documents.get(document), pointer) === undefined),
  );
  expect(lost).toEqual([]);
  expect(at({ 'a/b': [{ '~': 1 }] }, '/a~1b/0/~0')).toBe(1);
  expect(at({ a: 1 }, '/b/c')).toBeUndefined();
});

test('every test in features.json is in its file', () => {
  const named = [
    ...features.flatMap(({ tests }) => tests),
    ...tools.flatMap(({ runs }) => runs.filter((run) => 'test' in run)),
    ...allVerdicts.flatMap(({ by }) => (by === undefined ? [] : [by])),
  ];
  expect(named.length).toBeGreaterThan(features.length);
  expect(named.filter((reference) => !isTest(reference))).toEqual([]);
  const file = 'conformance/generated.test.ts';
  const name = 'openapi-typescript: every webhook has a type';
  expect(
    [name, `${name} `, 'openapi-typescript', 'openapi-typescript: '].map((test) => isTest({ file, test })),
  ).toEqual([true, false, false, false]);
});

test('feature ids and tool names are unique, and each tool has one verdict per feature', () => {
  const ids = features.map(({ id }) => id);
  expect(duplicatesIn(ids)).toEqual([]);
  expect(duplicatesIn(tools.map(({ name }) => name))).toEqual([]);
  expect(allVerdicts.filter(({ feature }) => !ids.includes(feature))).toEqual([]);
  expect(tools.flatMap(({ verdicts }) => duplicatesIn(verdicts.map(({ feature }) => feature)))).toEqual([]);
});

test('every tool that `bun run conformance` runs has its pinned version', () => {
  const npmPins = ['package.json', 'conformance/package.json'].flatMap(npmPinsIn);
  const pins = new Map([...npmPins, ...pypiPins(), ...goPins()]);
  const running = tools.filter((tool) => runsOf(tool).length > 0);
  expect(running.length).toBeGreaterThan(5);
  expect(running.map(({ name, version }) => [name, version])).toEqual(
    running.map((tool) => [tool.name, pins.get(nameOfPackage(tool)) ?? 'is not pinned']),
  );
});

test('every tool that conformance/ installs is in features.json', () => {
  const known = tools.map(nameOfPackage);
  const installed = [...npmPinsIn('conformance/package.json'), ...pypiPins()].map(([name]) => name);
  expect(installed.length).toBeGreaterThan(5);
  // The first three build the site. conformance/scalar-licences.ts reads only the licence of the last.
  const others = ['npm @fontsource-variable/inter', 'npm badge-maker', 'npm hono', 'npm unist-util-find-after'];
  const unknown = installed.filter((name) => !known.includes(name) && !name.startsWith('npm @types/'));
  expect(unknown).toEqual(others);
});

const nameOfPackage = (tool: Tool): string => `${tool.registry} ${tool.package}`;

/** The versions that a package.json pins, by registry and package. */
const npmPinsIn = (path: string): [string, string][] =>
  Object.entries<string>(JSON.parse(read(path)).devDependencies).map(([name, version]) => [`npm ${name}`, version]);

const pypiPins = (): [string, string][] =>
  [...read('conformance/requirements.txt').matchAll(/^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)$/gm)].map(
    ([, name = '', version = '']) => [`pypi ${name}`, version],
  );

const goPins = (): [string, string][] =>
  [...new Bun.Glob('conformance/tools/*/go.mod').scanSync(root)].flatMap((path) =>
    [...read(path).matchAll(/^(?:require )?\s*(\S+\/\S+) v(\S+)/gm)].map(
      ([, name = '', version = '']): [string, string] => [`go ${name}`, version],
    ),
  );

const duplicatesIn = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);

/**
 * Whether the file has a test of this name: an argument of a call that is not `describe`. A table makes names such as
 * `tool: sentence`, and then the file has both texts.
 */
const isTest = ({ file, test: name }: TestReference): boolean => {
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

/** The value at a JSON Pointer (RFC 6901), or undefined. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (node, token) =>
        typeof node === 'object' && node !== null ? Object.getOwnPropertyDescriptor(node, token)?.value : undefined,
      value,
    );
