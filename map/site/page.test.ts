/** The site in a real browser: filters, keyboard, no JavaScript, accessibility, narrow screens, dark, print and files. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { executablePath, launch } from '../browser.ts';
import { readMapData } from '../measure/data.ts';
import { exampleData } from './example-data.ts';
import { firstPage } from './first-page.ts';
import { type Files, filesOf } from './site.ts';

/** A page of each kind. */
const pages = [
  'index.html',
  'kinds/linter.html',
  'features/index.html',
  'features/type-arrays.html',
  'tools/index.html',
  'tools/a-linter.html',
  'tools/a-linter@0.9.0.html',
  'questions/index.html',
  'compare.html',
  'findings/index.html',
  'learn/index.html',
  'learn/02-null.html',
  'learn/compare.html',
  'how.html',
];

/** Pages that need more tools than the example has. */
const pagesOfMap = ['compare/oazapfts-and-orval.html', 'questions/generator-typescript-webhooks.html'];

// Skipped without Debian's Chromium, which CI installs.
describe.skipIf(!existsSync(executablePath))('in Chromium', () => {
  let browser: Browser;
  let reused: Page;
  let folder: string;
  const example = serveBelow('/map/', filesOf(exampleData));
  const real = serveBelow('/map/', Promise.resolve(readMapData()).then(filesOf));
  beforeAll(async () => {
    browser = await launch();
    reused = await browser.newPage();
    folder = mkdtempSync(join(tmpdir(), 'plant-store-site-'));
    for (const [path, content] of await filesOf(exampleData)) await Bun.write(join(folder, path), content);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([example.stop(), real.stop()]);
    rmSync(folder, { recursive: true });
  });

  /** Opens a page, and collects its requests, and its errors and warnings. */
  const open = async (url: string, options: Parameters<Browser['newPage']>[0] = {}) => {
    const page = await browser.newPage(options);
    const requests: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(`${error}`));
    await page.goto(url);
    return { page, requests, problems };
  };

  const shownTools = (page: Page): Promise<string[]> =>
    page.locator('tr[data-language]:visible th a').allTextContents();
  const shownFeatures = (page: Page): Promise<string[]> => page.locator('th[data-feature]:visible').allTextContents();

  test('the first page loads these files of its folder, and nothing else', async () => {
    const { page, requests, problems } = await open(`${real.url}index.html`);
    await page.close();
    expect(new Set(requests.map((url) => url.replace(real.url, '')))).toEqual(new Set(firstPage));
    expect(problems).toEqual([]);
  });

  test('every kind of page asks only its own folder, and has no error and no warning', async () => {
    const { page, requests, problems } = await open(`${example.url}index.html`);
    for (const path of pages) await page.goto(example.url + path);
    await page.close();
    expect(requests.filter((url) => !url.startsWith(example.url))).toEqual([]);
    expect(problems).toEqual([]);
  });

  test.each([
    ['linter', '', ['A linter'], ['type arrays with null', 'itemSchema of a stream']],
    ['viewer', '?language=Go', ['Viewer'], ['type arrays with null', 'itemSchema of a stream']],
    ['linter', '?language=Go', ['A linter'], ['type arrays with null', 'itemSchema of a stream']],
    ['linter', '?version=3.2', ['A linter'], ['itemSchema of a stream']],
    ['linter', '?feature=type-arrays', ['A linter'], ['type arrays with null']],
    ['linter', '?verdict=wrong', ['A linter'], ['type arrays with null']],
    ['viewer', '?verdict=ignored', ['Viewer'], ['itemSchema of a stream']],
    ['linter', '?text=LINT', ['A linter'], ['type arrays with null', 'itemSchema of a stream']],
    ['viewer', '?text=itemschema', ['Viewer'], ['itemSchema of a stream']],
    ['viewer', '?verdict=wrong', [], []],
    ['viewer', '?absent=absent', ['Viewer'], ['type arrays with null', 'itemSchema of a stream']],
  ])('the page of the kind %s with %p shows these tools and features', async (kind, query, tools, features) => {
    await reused.goto(`${example.url}kinds/${kind}.html${query}`);
    const shown = [await shownTools(reused), await shownFeatures(reused)];
    const said = await reused.locator('output').textContent();
    expect(shown).toEqual([tools, features]);
    expect(said).toBe(`${tools.length} of 1 tools, ${features.length} of 2 features.`);
  });

  test('the first page leads to the matrix of a kind with one feature', async () => {
    const { page } = await open(`${example.url}index.html`);
    await page.getByRole('link', { name: '0 of 1' }).first().click();
    await page.waitForURL('**/kinds/linter.html?feature=type-arrays');
    expect(await shownFeatures(page)).toEqual(['type arrays with null']);
    await page.close();
  });

  test('the filters work by keyboard, and change the URL', async () => {
    const { page } = await open(`${example.url}kinds/linter.html`);
    await page.getByLabel('New in').focus();
    await page.keyboard.press('O');
    await page.keyboard.press('ArrowDown');
    expect(await shownFeatures(page)).toEqual(['itemSchema of a stream']);
    expect(new URL(page.url()).search).toBe('?version=3.2');
    expect(await page.locator('.matrix a[tabindex="0"]:visible').count()).toBe(1);
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
    await page.keyboard.type('lint');
    expect(await shownTools(page)).toEqual(['A linter']);
    expect(new URL(page.url()).search).toBe('?version=3.2&text=lint');
    await page.reload();
    expect(await shownFeatures(page)).toEqual(['itemSchema of a stream']);
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await page.getByRole('link', { name: 'type arrays' }).waitFor();
    expect(await shownFeatures(page)).toEqual(['type arrays with null', 'itemSchema of a stream']);
    expect(new URL(page.url()).search).toBe('');
    await page.close();
  });

  test('arrow keys move through the matrix, which is one stop of the Tab key, and Enter opens the evidence', async () => {
    const { page } = await open(`${example.url}kinds/linter.html`);
    expect(await page.locator('.matrix a[tabindex="0"]').count()).toBe(1);
    await page.locator('.matrix').focus();
    for (const key of ['Tab', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'End', 'Home', 'ArrowRight'])
      await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/a-linter.html#type-arrays');
    const evidence = page.locator('details:has(#type-arrays)');
    expect(await evidence.getAttribute('open')).not.toBeNull();
    await page.close();
  });

  test('without JavaScript every verdict is in the table, and there are no controls that do nothing', async () => {
    const { page } = await open(`${example.url}kinds/viewer.html?language=Go`, { javaScriptEnabled: false });
    const cells = await page.locator('.matrix tbody td a').allTextContents();
    const controls = await page.locator('form:visible, button:visible, select:visible').count();
    await page.goto(`${example.url}tools/a-linter.html`);
    await page.getByText('Evidence').first().click();
    const isOpen = await page.getByText('must be string').first().isVisible();
    const buttons = await page.locator('button').count();
    await page.close();
    expect(cells).toEqual(['partly', 'ignored']);
    expect([controls, isOpen, buttons]).toEqual([0, true, 0]);
  });

  test('without JavaScript, two tools are compared, and a question has its answer', async () => {
    const { page } = await open(`${real.url}compare.html`, { javaScriptEnabled: false });
    const pair = 'a[href="compare/oazapfts-and-orval.html"]';
    await page.locator(`details:has(${pair}) > summary`).click();
    await page.locator(pair).click();
    const words = await page.locator('tr:has(a[href$="features/webhooks.html"]) td').allTextContents();
    await page.goto(`${real.url}questions/generator-typescript-webhooks.html`);
    const answer = await page.locator('h2:text-is("These do") + ul a').allTextContents();
    await page.close();
    expect(words).toHaveLength(2);
    expect(words.every((word) => /right|partly|ignored|wrong|refuses version/.test(word))).toBe(true);
    expect(answer.join()).toContain('openapi-typescript');
  });

  test('the tools in the URL are compared, with a link to the evidence, and only those of one kind', async () => {
    const { page, problems } = await open(`${real.url}compare.html?tools=orval,oazapfts,kubb,prism`);
    const heads = await page.locator('#compared thead th, #compared tr:first-child th').allTextContents();
    expect(heads.map((head) => head.split(' ')[0])).toEqual(['Feature', 'orval', 'oazapfts', 'Kubb']);
    await page.locator('#compared td a').first().click();
    await page.waitForURL(/tools\/orval@[\d.]+\.html#/);
    await page.close();
    expect(problems).toEqual([]);
  });

  test('a feed is well-formed XML', async () => {
    const { page } = await open(`${example.url}index.html`);
    const text = JSON.stringify((await filesOf(exampleData)).get('tools/a-linter.atom'));
    const count = (source: string) =>
      page.evaluate(
        `new DOMParser().parseFromString(${source}, 'application/xml').querySelectorAll('parsererror').length`,
      );
    expect([await count(text), await count('"<feed>"')]).toEqual([0, 1]);
    await page.close();
  });

  test('a button copies the document, and another the text for a tracker', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await page.goto(`${example.url}features/type-arrays.html`);
    await page.getByRole('button', { name: 'Copy openapi.yaml' }).click();
    await page.getByText('Copied').waitFor();
    expect(await copied()).toBe(exampleData.features[0]?.document.trimEnd());
    await page.goto(`${example.url}tools/a-linter.html`);
    await page.getByText('OpenAPI 3.1: type arrays with null: Null is refused').click();
    await page.getByRole('button', { name: 'Copy the text' }).click();
    await page.getByText('Copied').waitFor();
    expect(await copied()).toStartWith('# OpenAPI 3.1: type arrays with `null`: Null is refused\n');
    await page.getByRole('button', { name: 'Copy Markdown' }).first().click();
    await page.getByText('Copied').nth(1).waitFor();
    expect(await copied()).toBe(`![OpenAPI 3.1: 0 of 1 right](${example.url}tools/a-linter-3.1.svg)`);
    await context.close();
  });

  test('the first page leads to the lessons, and a lesson has colours, commands to copy and a solution, by keyboard', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${example.url}index.html`);
    await page.getByRole('link', { name: 'Learn' }).press('Enter');
    await page.getByRole('link', { name: 'Type arrays and null' }).press('Enter');
    await page.getByRole('heading', { name: 'Type arrays and null' }).waitFor();
    const names = await page.locator('figure:has-text("PlantPatch") .name').allTextContents();
    expect(names).toEqual(expect.arrayContaining(['tag', 'type', '"nullable"']));
    expect(await styleOf(page, 'pre .name', 'color')).not.toBe(await styleOf(page, 'pre', 'color'));
    await page.getByRole('button', { name: 'Copy the commands' }).first().press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toStartWith('curl -sS -X PATCH ');
    const solution = page.getByText('instead, the document is valid');
    expect(await solution.isVisible()).toBe(false);
    await page.getByText('Solution', { exact: true }).press('Enter');
    expect(await solution.isVisible()).toBe(true);
    await context.close();
  });

  test('from a file, the pages have their style and their script, and links between them work', async () => {
    const { page, problems } = await open(`file://${folder}/kinds/viewer.html?version=3.2`);
    expect(await shownFeatures(page)).toEqual(['itemSchema of a stream']);
    expect(await styleOf(page, '.matrix', 'overflow-x')).toBe('auto');
    await page.getByRole('link', { name: 'Viewer' }).click();
    await page.getByRole('heading', { name: 'Viewer' }).waitFor();
    await page.getByRole('link', { name: 'The map of OpenAPI' }).click();
    await page.getByRole('heading', { name: 'Which tools' }).waitFor();
    await page.close();
    expect(problems).toEqual([]);
  });

  describe.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('in %s, on a screen %d pixels wide', (colorScheme, width) => {
    test.each([...pages.map((path) => [path, example] as const), ...pagesOfMap.map((path) => [path, real] as const)])(
      'axe finds no violation in %s',
      async (path, { url }) => {
        const { page } = await open(url + path, { colorScheme, viewport: { width, height: 800 } });
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        const found = await violationsIn(page);
        await page.close();
        expect(found).toEqual([]);
      },
    );
  });

  test('axe reports a violation', async () => {
    const { page } = await open(`${example.url}kinds/linter.html`);
    await page.evaluate('document.querySelector(".matrix tbody td a").textContent = ""');
    const found = await violationsIn(page);
    await page.close();
    expect(found.length).toBeGreaterThan(0);
  });

  test('no page scrolls horizontally on a screen 390 pixels wide', async () => {
    const { page } = await open(`${real.url}index.html`, { viewport: { width: 390, height: 844 } });
    const urls = [
      ...pages.map((path) => example.url + path),
      ...pagesOfMap.map((path) => real.url + path),
      `${real.url}index.html`,
      `${real.url}kinds/generator.html`,
      `${real.url}tools/orval.html`,
    ];
    for (const url of urls) {
      await page.goto(url);
      expect([url, await page.evaluate('document.scrollingElement.scrollWidth')]).toEqual([url, 390]);
    }
    await page.close();
  });

  test('the name of each tool is whole on a screen 390 pixels wide', async () => {
    const { page } = await open(`${real.url}index.html`, { viewport: { width: 390, height: 844 } });
    const kinds = [...(await filesOf(await readMapData())).keys()].filter((path) => path.startsWith('kinds/'));
    expect(kinds.length).toBeGreaterThan(5);
    for (const path of kinds) {
      await page.goto(real.url + path);
      const cut = await page.evaluate(
        `[...document.querySelectorAll('.matrix tbody th')]
          .filter((head) => head.scrollWidth > head.clientWidth || head.querySelector('a').getBoundingClientRect().right > head.getBoundingClientRect().right)
          .map((head) => head.textContent)`,
      );
      expect([path, cut]).toEqual([path, []]);
    }
    await page.close();
  });

  test('the heads of the matrix stay in sight while it scrolls', async () => {
    const { page } = await open(`${real.url}kinds/generator.html`, { viewport: { width: 800, height: 600 } });
    const matrix = page.locator('.matrix');
    await page.evaluate('document.querySelector(".matrix").scrollTo(400, 500)');
    const frame = await matrix.boundingBox();
    const [head, name] = [
      await page.locator('thead').boundingBox(),
      await page.getByRole('link', { name: 'orval', exact: true }).boundingBox(),
    ];
    await page.close();
    expect(Math.abs((head?.y ?? 0) - (frame?.y ?? 0))).toBeLessThan(3);
    expect((name?.x ?? 0) - (frame?.x ?? 0)).toBeLessThan(30);
  });

  test('dark has other colours, reduced motion has no transitions, and print is light, whole and without controls', async () => {
    const { page } = await open(`${real.url}kinds/generator.html`, { viewport: { width: 1032, height: 700 } });
    const paper = () => styleOf(page, '.matrix', 'background-color');
    const light = await paper();
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await paper()).not.toBe(light);
    expect(await styleOf(page, 'button', 'transition-duration')).toBe('0s');
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    expect(await paper()).toBe(light);
    expect(await page.locator('nav:visible, form:visible').count()).toBe(0);
    // A4 landscape without its margins has 1032 pixels.
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(1032);
    await page.close();
  });
});

const styleOf = (page: Page, selector: string, property: string): Promise<unknown> =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`);

async function violationsIn(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: join(import.meta.dir, '../node_modules/axe-core/axe.min.js') });
  const { violations }: AxeResults = await page.evaluate('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** A static host, which has the files in a folder. */
function serveBelow(base: string, files: Promise<Files>): { url: string; stop(): Promise<void> } {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const path = pathname.slice(base.length);
      const content = (await files).get(path);
      if (!pathname.startsWith(base) || content === undefined) return new Response('Not found', { status: 404 });
      return new Response(content, { headers: { 'content-type': Bun.file(path).type } });
    },
  });
  return { url: `http://127.0.0.1:${server.port}${base}`, stop: () => server.stop(true) };
}
