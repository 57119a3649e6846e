/** Checks the documentation: the generated files, the links of all pages, their words and lines, and what they repeat. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { columnsMax } from '../../docs/pages/markdown.ts';
import { pages } from '../../docs/pages/pages.ts';
import { roundInWords } from '../../src/webhooks/retries.ts';
import { read, sources } from '../support/project/imports.ts';

const root = join(import.meta.dir, '../..');

test.each(Object.entries(pages))('%s is up to date; `bun run generate` updates it', async (path, render) => {
  expect(read(path)).toBe(await render());
});

/** Every Markdown file of the repository, by its path from the root. */
const documents = ['*.md', '{bench,conformance,console,map,deploy,docs,examples,release,src,tests}/**/*.md']
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .filter((path) => !/(?:^|\/)(?:node_modules|\.venv|generated|target)\//.test(path));

const withoutBlocks = (text: string): string => text.replaceAll(/^( *)(```+|~~~+)[\s\S]*?^\1\2/gm, '');

/** Markdown without its code, which has no links. */
const prose = (text: string): string => withoutBlocks(text).replaceAll(/(`+)[^`]*?\1/g, '');

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (path: string): string[] => {
  const headings = withoutBlocks(read(path)).matchAll(/^#+ (.*)$/gm);
  const bases = [...headings].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return bases.map((base, index) => {
    const earlier = bases.slice(0, index).filter((other) => other === base).length;
    return earlier === 0 ? base : `${base}-${earlier}`;
  });
};

/** The targets of the links and images of a page, without those to other hosts. */
const linksIn = (text: string): string[] =>
  [...prose(text).matchAll(/\]\(<?([^)\s>]*)>?[^)]*\)|^ *\[[^\]]+\]: *(\S+)|\b(?:src|href)="([^"]*)"/gm)]
    .map(([, inline, reference, html]) => inline ?? reference ?? html ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));

const isFound = (page: string, target: string): boolean => {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? page : join(dirname(page), file);
  if (path.startsWith('..') || !existsSync(join(root, path))) return false;
  return anchor === undefined || (path.endsWith('.md') && anchorsOf(path).includes(anchor));
};

test('every link in the documents leads to a file of the repository, and to a heading in it', () => {
  const links = documents.flatMap((page) => linksIn(read(page)).map((target) => [page, target] as const));
  expect(documents).toContain('README.md');
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(([page, target]) => !isFound(page, target))).toEqual([]);
});

test('the document, the pages and the alerts give the schedule of the retries, and no other', () => {
  const withSchedule = ['openapi/openapi.yaml', 'docs/limits.md', 'docs/webhooks.md', 'deploy/alerts.yml'];
  const textOf = (path: string): string => read(path).replaceAll(/\s+/g, ' ');
  for (const path of withSchedule) expect([path, textOf(path)]).toEqual([path, expect.stringContaining(roundInWords)]);
  // The changelog describes the schedule of each release.
  const pages = [...withSchedule, ...documents].filter((path) => path !== 'CHANGELOG.md');
  const isOther = (path: string): boolean =>
    /\b(?:attempts|times)\b[^.]*\bdays\b/.test(textOf(path).replaceAll(roundInWords, ''));
  expect(pages.filter(isOther)).toEqual([]);
});

test('tests/faults/README.md describes every trial, with its number of rounds', () => {
  const described = [...read('tests/faults/README.md').matchAll(/^- \*\*`([\w-]+)`\*\*, ([\d,]+) rounds/gm)];
  const trials = [...new Bun.Glob('*.ts').scanSync(join(root, 'tests/faults'))].flatMap((file) =>
    [...read(`tests/faults/${file}`).matchAll(/= readOptions\(([\d_]+)\)/g)].map(([, rounds = '']) => [
      file.replace('.ts', ''),
      rounds.replaceAll('_', ''),
    ]),
  );
  expect(trials.length).toBeGreaterThan(20);
  expect(described.map(([, name, rounds = '']) => [name, rounds.replaceAll(',', '')]).sort()).toEqual(trials.sort());
});

test('the recipe for a member of a plant names at most six files, and that of the examples, which all exist', () => {
  const [, steps = ''] = /^## Add a member to a plant$([\s\S]*?)^Then run/m.exec(read('docs/recipes.md')) ?? [];
  const named = [...steps.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path);
  expect(named).toContain('src/plants/examples.ts');
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(new Set(named).size).toBeLessThanOrEqual(7);
});

test('docs/glossary.md defines only words that the program uses', () => {
  const program = sources.map(read).join('\n');
  const words = [...read('docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(10);
  expect(words.filter((word) => !new RegExp(`\\b${word}`, 'i').test(program))).toEqual([]);
});

/** The pages for users, operators and contributors. A lesson in docs/learn/ is as long as it needs to be. */
const guides = documents.filter(
  (path) => /^(?:README|CONTRIBUTING|SECURITY)\.md$/.test(path) || /^docs\/(?!learn\/)/.test(path),
);

/** The guides that somebody wrote: a generated page grows with what it lists. */
const written = guides.filter((path) => !(path in pages));

const wordsIn = (path: string): number => read(path).trim().split(/\s+/).length;

test('the written pages of the documentation have at most 22,600 words', () => {
  expect(written.length).toBeGreaterThan(20);
  expect(written.reduce((words, path) => words + wordsIn(path), 0)).toBeLessThanOrEqual(22_600);
});

test('no page of the documentation has more than 2,200 words', () => {
  expect(guides.filter((path) => wordsIn(path) > 2200)).toEqual([]);
});

test.each(['README.md', 'CONTRIBUTING.md'])('%s has less than 1,000 words', (page) => {
  expect(wordsIn(page)).toBeLessThan(1000);
});

test('the documentation is wrapped at 140 columns', () => {
  const textOf = (path: string): string =>
    withoutBlocks(read(path).replaceAll(/<!-- results: [\s\S]*?<!-- end of results -->/g, ''));
  /** A table or a picture cannot be wrapped. */
  const lines = guides.flatMap((path) => textOf(path).split('\n')).filter((line) => !/^ *[|<]/.test(line));
  expect(lines.length).toBeGreaterThan(1000);
  expect(lines.filter((line) => line.length > columnsMax)).toEqual([]);
});

test('no page in docs/ is longer than 400 lines', () => {
  const long = documents.filter((path) => path.startsWith('docs/') && read(path).split('\n').length > 400);
  expect(long).toEqual([]);
});

test.each(['docs/operations.md', 'docs/runtimes.md'])('each row of a table in %s is one short line', (page) => {
  const rows = [...read(page).matchAll(/^\|.*$/gm)].map(([row]) => row.replaceAll(/\]\([^)]*\)/g, ']'));
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter((row) => row.length > 150)).toEqual([]);
});

test('no blank line divides a list whose other items have none between them', () => {
  const divided = /^- .*\n(?: +\S.*\n)*- .*\n(?: +\S.*\n)*\n+- /m;
  expect(divided.test('- a\n  b\n- c\n\n- d\n')).toBe(true);
  expect(divided.test('- a\n\n- b\n\n- c\n')).toBe(false);
  expect(documents.filter((path) => divided.test(withoutBlocks(read(path))))).toEqual([]);
});

test.each([
  ['[a](absent.md)', 'broken'],
  ['[a](docs/glossary.md#absent)', 'broken'],
  ['[a](../outside.md)', 'broken'],
  ['![a](absent.svg)', 'broken'],
  ['<img src="absent.svg">', 'broken'],
  ['[a]: absent.md', 'broken'],
  ['[a](LICENSE#line)', 'broken'],
  ['[a](docs/glossary.md#glossary "title")', 'valid'],
  ['[a](#the-folders)', 'valid'],
  ['[a](examples/ci)', 'valid'],
  ['[a](https://plants.example/absent)', 'valid'],
  ['`[a](absent.md)`', 'valid'],
  ['```md\n[a](absent.md)\n```', 'valid'],
])('the check of links reports that the links in %p are %s', (text, state) => {
  const areFound = linksIn(text).every((target) => isFound('CONTRIBUTING.md', target));
  expect(areFound ? 'valid' : 'broken').toBe(state);
});
