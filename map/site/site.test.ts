/** The files of the site: links, data, findings, badges and the size of the first page. */
import { expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { readMapData } from '../measure/data.ts';
import { readNamedFiles } from '../measure/files.ts';
import { exampleData, largeData } from './example-data.ts';
import { findingsOf } from './finding.ts';
import { firstPage } from './first-page.ts';
import { type Files, filesOf } from './site.ts';

const [example, large, real] = await Promise.all([
  filesOf(exampleData, { named: new Map([['files/type-arrays/openapi.json', '{}']]) }),
  filesOf(largeData()),
  filesOf(await readMapData(), { named: await readNamedFiles() }),
]);

const textOf = (files: Files, path: string): string => {
  const content = files.get(path);
  if (typeof content !== 'string') throw new Error(`The site has no text ${path}.`);
  return content;
};

const pagesOf = (files: Files): string[] => [...files.keys()].filter((path) => path.endsWith('.html'));

const linksIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);

/** Whether the link of the page leads to a file of the site, and to a place in it. */
const isFound = (files: Files, page: string, link: string): boolean => {
  const [address = '', anchor] = link.split('#');
  // What is behind the question mark is for the script.
  const [path = ''] = address.split('?');
  const target = path === '' ? page : join(dirname(page), path);
  if (!files.has(target)) return false;
  return anchor === undefined || textOf(files, target).includes(` id="${anchor}"`);
};

test.each([
  ['the example', example],
  ['the map', real],
])('every link in the pages of %s leads to a file of the site, and to a place in it', (_name, files) => {
  const links = pagesOf(files).flatMap((page) => linksIn(textOf(files, page)).map((link) => [page, link] as const));
  const own = links.filter(([, link]) => !/^https:/.test(link));
  expect(own.length).toBeGreaterThan(40);
  expect(own.filter(([page, link]) => !isFound(files, page, link))).toEqual([]);
  expect(isFound(files, 'index.html', 'absent.html')).toBe(false);
  expect(isFound(files, 'index.html', 'tools/index.html#absent')).toBe(false);
});

test('every page has a title of its own', () => {
  const titles = pagesOf(real).map((page) => /<title>(.*?)<\/title>/.exec(textOf(real, page))?.[1]);
  expect(new Set(titles).size).toBe(titles.length);
});

test('the data of tools is shown as text, and never as markup', () => {
  const page = textOf(example, 'tools/a-linter.html');
  expect(page).toContain('must be string: &lt;b&gt;tag&lt;/b&gt;');
  expect(textOf(example, 'features/type-arrays.html')).not.toContain('<script>"');
});

test('the data is valid against the schema of the site, as a whole and for each tool', async () => {
  const id = 'https://plant-store.test/map.schema.json';
  registerSchema(JSON.parse(textOf(real, 'data/map.schema.json')), id);
  const isValid = await validate(id);
  const paths = [...real.keys()].filter((path) => /^(?:data\/map|tools\/[^/]+)\.json$/.test(path));
  expect(paths.length).toBeGreaterThan(40);
  for (const path of paths)
    expect([path, isValid(JSON.parse(textOf(real, path)), 'BASIC')]).toMatchObject([path, { valid: true }]);
  const map = JSON.parse(textOf(example, 'data/map.json'));
  expect(isValid(map, 'BASIC')).toMatchObject({ valid: true });
  expect(isValid({ ...map, tools: [{ id: 'a' }] }).valid).toBe(false);
  expect(isValid({ ...map, author: 'a' }).valid).toBe(false);
});

test('the file of a tool has its features only', () => {
  const { tools, features } = JSON.parse(textOf(real, 'tools/orval.json'));
  expect(tools.map(({ id }: { id: string }) => id)).toEqual(['orval']);
  const [{ verdicts, unasked = [] }] = tools;
  expect(features.map(({ id }: { id: string }) => id).sort()).toEqual(
    [...verdicts, ...unasked].map(({ feature }) => feature).sort(),
  );
});

test('each wrong verdict has a text for the tracker, and no other verdict', async () => {
  const { tools } = await readMapData();
  const wrong = tools.flatMap(({ id, verdicts }) =>
    verdicts.filter(({ verdict }) => verdict === 'wrong').map(({ feature }) => `findings/${id}-${feature}.md`),
  );
  expect(wrong.length).toBeGreaterThan(0);
  expect([...real.keys()].filter((path) => path.endsWith('.md')).sort()).toEqual(wrong.sort());
});

test('a text for the tracker has the steps of a basic check that is ignored', () => {
  const tools = exampleData.tools.map((tool) => ({
    ...tool,
    verdicts: tool.verdicts.map((verdict) => ({
      ...verdict,
      checks: verdict.checks.map((check) => ({ ...check, isBasic: true, grade: 'ignored' as const })),
    })),
  }));
  const [finding] = tools.flatMap((tool) => findingsOf(tool, { ...exampleData, tools }, { named: new Map(), url: '' }));
  expect(finding?.text).toContain('- Use: `npx');
});

test('a text for the tracker has the document, the command, what is expected and observed, and who does it right', () => {
  expect(
    textOf(example, 'findings/a-linter-type-arrays.md'),
  ).toBe(`# OpenAPI 3.1: type arrays with \`null\`: Null is refused

A linter 1.0.0 (npm: \`a-linter\`), Linux x64, Bun 1.4.5, seen on 2026-11-23 by a program that repeats it.

The tracker had it on 2026-11-25: [linter/linter#7](https://github.com/linter/linter/issues/7), "Null is <refused>".

## Files

The document is the smallest that uses the feature, and is valid by the official schema of OpenAPI.

\`openapi.yaml\`:
\`\`\`yaml
openapi: 3.1.1
info: { title: "<script>", version: "1" }
paths: {}
\`\`\`

## a tag that is null

- Use: \`npx --yes a-linter@1.0.0 openapi.yaml\`
- Input: \`{"tag":null}\`
- Expected: \`accepted\`
- Observed: \`rejected\`
- The line that decides: \`must be string: <b>tag</b>\`
- As expected here: Viewer 1.0.0.

## Why

A value has one of several types.

The [specification](https://specification.example/#type) says:

> The value MUST be a string or an array.
`);
});

test('a tool has a badge for each version of OpenAPI that it was tried on', () => {
  expect(textOf(example, 'tools/a-linter-3.1.svg')).toContain('OpenAPI 3.1: 0 of 1 right');
  expect(textOf(example, 'tools/a-linter-3.2.svg')).toContain('OpenAPI 3.2: 1 of 1 right');
});

test.each([
  ['the map', real],
  ['a map of 80 tools and 40 features', large],
])('the first page of %s has less than 300 KB, with everything that it loads', (_name, files) => {
  const sizes = firstPage.map((path) => Buffer.byteLength(files.get(path) ?? ''));
  expect(sizes.every((size) => size > 0)).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(300_000);
  // So has the matrix of the kind with the most tools.
  const [, ...assets] = sizes;
  const matrices = pagesOf(files).filter((path) => path.startsWith('kinds/'));
  const largest = Math.max(...matrices.map((path) => Buffer.byteLength(textOf(files, path))));
  expect(largest + assets.reduce((sum, size) => sum + size)).toBeLessThan(300_000);
});
