/** The pages to cite and to compare, the feeds, and what the evidence links to. */
import { expect, test } from 'bun:test';
import { parse } from 'yaml';
import { readMapData } from '../measure/data.ts';
import { readNamedFiles } from '../measure/files.ts';
import { exampleData } from './example-data.ts';
import { type Files, filesOf } from './site.ts';

const url = 'https://map.example/';
const data = await readMapData();
const [example, published, real] = await Promise.all([
  filesOf(exampleData),
  filesOf(exampleData, { url }),
  filesOf(data, { named: await readNamedFiles() }),
]);

const textOf = (files: Files, path: string): string => {
  const content = files.get(path);
  if (typeof content !== 'string') throw new Error(`The site has no text ${path}.`);
  return content;
};

const wordsOf = (html: string): string[] =>
  html
    .replace(/^[\s\S]*<main[^>]*>|<\/main>[\s\S]*$/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .split(/\s+/)
    .filter((word) => /\w/.test(word));

test('a page says in 400 words how a verdict is made', () => {
  const words = wordsOf(textOf(real, 'how.html'));
  expect(words.length).toBeGreaterThan(250);
  expect(words.length).toBeLessThanOrEqual(400);
});

test('each verdict has an address with the version of the tool, and earlier versions keep theirs', () => {
  expect(textOf(example, 'tools/a-linter@1.0.0.html')).toContain(' id="type-arrays"');
  expect(textOf(example, 'tools/a-linter@0.9.0.html')).toContain(' id="type-arrays"');
  expect(textOf(example, 'tools/a-linter.html')).toContain('href="../tools/a-linter@1.0.0.html#type-arrays"');
});

test('each verdict of the map is at its permanent address, and its evidence says how to repeat it and where it is wrong', () => {
  for (const { id, version, verdicts } of data.tools) {
    const page = textOf(real, `tools/${id}@${version}.html`);
    for (const { feature } of verdicts) {
      expect(page).toContain(` id="${feature}"`);
      expect(page).toContain(`bun run map --tool ${id} --feature ${feature} --keep`);
    }
    expect(page.split('how.html#wrong"').length).toBeGreaterThan(verdicts.length);
  }
  expect(textOf(real, 'how.html')).toContain(' id="wrong"');
});

test('the map has a file that says how to cite it', () => {
  expect(parse(textOf(real, 'CITATION.cff'))).toMatchObject({
    'cff-version': '1.2.0',
    message: expect.any(String),
    title: expect.any(String),
    authors: [{ name: expect.any(String) }],
  });
});

test('a tool has what changed from one version to the next, on its page and in its feed', () => {
  expect(textOf(example, 'tools/a-linter.html').replaceAll(/<[^>]+>/g, '')).toContain(
    'type arrays with null: ignored → wrong',
  );
  const feed = textOf(published, 'tools/a-linter.atom');
  const all = (name: string) =>
    [...feed.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, text]) => text);
  expect(all('id')).toEqual([
    `${url}tools/a-linter.atom`,
    `${url}tools/a-linter@1.0.0.html`,
    `${url}tools/a-linter@0.9.0.html`,
  ]);
  expect(all('content')[0]).toContain('type arrays with null: ignored → wrong');
  expect(all('updated')).toEqual(['2026-11-23T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-20T00:00:00Z']);
});

test('one feed has the versions of all tools, the last measured first, and a page has what changed this month', () => {
  const feed = textOf(published, 'map.atom');
  const titles = [...feed.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title);
  expect(titles).toEqual(['The map of OpenAPI', 'A linter 1.0.0', 'Viewer 1.0.0', 'A linter 0.9.0']);
  expect(feed).toContain('type arrays with null: ignored → wrong');
  expect(feed).toContain(`<link rel="self" href="${url}map.atom"/>`);
  const page = textOf(example, 'month.html').replaceAll(/<[^>]+>/g, '');
  expect(page).toContain(
    'In 2026-11, 1 version of tools was compared with the version before. 0 verdicts became right.',
  );
  expect(page).toContain('Other changes in 1.0.0:');
});

test('the history and the page of the month say what a version repaired', async () => {
  const tools = exampleData.tools.map((tool) => ({
    ...tool,
    verdicts: tool.verdicts.map((one) => ({ ...one, verdict: 'right' as const })),
  }));
  const files = await filesOf({ ...exampleData, tools });
  for (const path of ['tools/a-linter.html', 'month.html'])
    expect(textOf(files, path).replaceAll(/<[^>]+>/g, '')).toContain(
      'Repaired in 1.0.0:type arrays with null: ignored → right',
    );
  const later = await filesOf({ ...exampleData, tools, date: '2026-12-01' });
  expect(textOf(later, 'month.html')).not.toContain('Repaired in');
});

test('a reply of an author is beside the verdict, which is disputed while it is open', async () => {
  for (const path of ['tools/viewer.html', 'features/type-arrays.html']) {
    const page = textOf(example, path);
    expect(page.replaceAll(/<[^>]+>/g, '')).toContain(
      'Disputed. An author replied on 2026-11-24: The &lt;other&gt; half is next. (where)',
    );
    expect(page).toContain('href="https://tracker.example/1"');
  }
  const tools = exampleData.tools.map((tool) => ({
    ...tool,
    verdicts: tool.verdicts.map((one) => (one.reply ? { ...one, reply: { ...one.reply, isOpen: false } } : one)),
  }));
  const settled = textOf(await filesOf({ ...exampleData, tools }), 'tools/viewer.html');
  expect(settled).toContain('An author replied');
  expect(settled).not.toContain('Disputed');
});

test('an issue of the tracker is beside its wrong verdict, with the day of the search, and in the text for the tracker', () => {
  for (const path of ['tools/a-linter.html', 'features/type-arrays.html']) {
    const page = textOf(example, path);
    expect(page).toContain('href="https://github.com/linter/linter/issues/7"');
    expect(page.replaceAll(/<[^>]+>/g, '')).toContain(
      'linter/linter#7, Null is &lt;refused&gt;, looked up on 2026-11-25',
    );
  }
  expect(textOf(example, 'findings/a-linter-type-arrays.md')).toContain(
    'The tracker had it on 2026-11-25: [linter/linter#7](https://github.com/linter/linter/issues/7), "Null is <refused>".',
  );
});

test('how to disagree has the address of the repository that a release gives', async () => {
  const given = await filesOf(exampleData, { repository: 'https://code.example/plant-store' });
  expect(textOf(given, 'how.html')).toContain('href="https://code.example/plant-store"');
  expect(textOf(example, 'how.html')).toContain('the repository of Plant Store');
  const lines = /<h2 id="wrong">[\s\S]*?<\/ol>/.exec(textOf(given, 'how.html'))?.[0].match(/<li>/g);
  expect(lines).toHaveLength(3);
});

test('one setting makes the address of a badge absolute', () => {
  expect(textOf(published, 'tools/a-linter.html')).toContain(`](${url}tools/a-linter-3.1.svg)`);
  expect(textOf(example, 'tools/a-linter.html')).toContain('](a-linter-3.1.svg)');
});

test('two tools of a kind have a page, and two of different kinds have none', () => {
  const pairs = [...real.keys()].filter((path) => path.startsWith('compare/'));
  const kinds = Object.values(Object.groupBy(data.tools, ({ kind }) => kind)).map((tools) => tools.length);
  expect(pairs).toHaveLength(kinds.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0));
  expect(textOf(real, 'compare/oazapfts-and-orval.html')).toContain('href="../tools/orval@');
});

test('there is a page for the question of a generator for a language', () => {
  const page = textOf(real, 'questions/generator-typescript-webhooks.html');
  expect(page).toContain('<h1>Which generators for TypeScript read <code>webhooks</code>?</h1>');
  const right = data.tools.filter(
    ({ kind, language, verdicts }) =>
      kind === 'generator' &&
      language === 'TypeScript' &&
      verdicts.some(({ feature, verdict }) => feature === 'webhooks' && verdict === 'right'),
  );
  expect(right.length).toBeGreaterThan(0);
  const answer = /<h2>These do<\/h2>[\s\S]*?<\/ul>/.exec(page)?.[0] ?? '';
  for (const { name } of right) expect(answer).toContain(name);
});

test('every wrong verdict of a tester shows the exchange, unless it is about the document', () => {
  const wrong = data.tools
    .filter(({ kind }) => kind === 'tester')
    .flatMap(({ id, verdicts }) =>
      verdicts
        .filter(({ cause }) => cause === 'misread')
        .map(({ feature, checks }) => ({
          name: `${id}, ${feature}`,
          hasExchange: checks.some(({ grade, exchange }) => grade === 'wrong' && exchange !== undefined),
        })),
    );
  expect(wrong.length).toBeGreaterThan(5);
  expect(wrong.filter(({ hasExchange }) => !hasExchange).map(({ name }) => name)).toEqual([]);
});

test('a file beside a document is linked from the page of its feature', () => {
  const beside = data.features.flatMap(({ id, beside: names = [] }) => names.map((name) => ({ id, name })));
  expect(beside.length).toBeGreaterThan(0);
  for (const { id, name } of beside) {
    expect(textOf(real, `features/${id}.html`)).toContain(`href="../files/${id}/${name}"`);
    expect(real.has(`files/${id}/${name}`)).toBe(true);
  }
});

test('every file that a command names is linked, and in the site', () => {
  const named = data.tools.flatMap(({ id, verdicts }) =>
    verdicts.flatMap(({ checks }) =>
      checks.flatMap(({ files = {} }) => Object.values(files).map((key) => `files/${id}/${key}`)),
    ),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !real.has(path))).toEqual([]);
  expect(textOf(real, 'tools/spectral.html')).toMatch(/href="\.\.\/files\/spectral\/[\da-f]+\/spectral\.yaml"/);
});
