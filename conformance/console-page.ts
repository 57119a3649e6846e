/** The console in a browser: how its tests open it, and what they collect and check on every page. */

import { expect } from 'bun:test';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../tests/support/until.ts';
import type { Tabs } from './in-chromium.ts';

const axe = Bun.file(Bun.fileURLToPath(import.meta.resolve('axe-core/axe.min.js')));

export interface ConsolePage extends AsyncDisposable {
  readonly page: Page;
  press(name: string | RegExp): Promise<void>;
  /** Requests to other hosts, and errors of the page. Failed requests that a test expects are not among them. */
  readonly problems: readonly string[];
}

interface OpenOptions extends BrowserContextOptions {
  /** `plants`, `log`, `webhooks` or `health`. */
  readonly view?: string;
  /** Entered in the field. Without it, the page has one already. */
  readonly token?: string;
}

/** Opens the console. A page that is disposed of fails its test if it had a problem. */
export const openConsole = async (
  browser: Tabs,
  url: string,
  { view = 'plants', token, ...options }: OpenOptions = {},
): Promise<ConsolePage> => {
  const page = await browser.newPage(options);
  const problems: string[] = [];
  page.on('request', (request) => {
    const address = new URL(request.url());
    if (!['data:', 'blob:'].includes(address.protocol) && address.origin !== new URL(url).origin)
      problems.push(request.url());
    if (/plant_\w/.test(request.url())) problems.push(`A token is in ${request.url()}.`);
  });
  // A browser logs each response with the status of an error.
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(`${error}`));
  await page.goto(`${url}/console#${view}`);
  if (token !== undefined) await enterToken(page, token);
  const press = (name: string | RegExp): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  return {
    page,
    press,
    problems,
    [Symbol.asyncDispose]: async () => {
      await page.close();
      expect(problems).toEqual([]);
    },
  };
};

export const enterToken = async (page: Page, token: string): Promise<void> => {
  const field = page.locator('.token input[type=password]');
  if (!(await field.isVisible())) await page.locator('.token summary').click();
  await field.fill(token);
  await page.getByRole('button', { name: 'Use the token' }).click();
};

/** Presses Tab until the element has the focus whose label begins like this. */
export const tabTo = async (page: Page, label: RegExp): Promise<void> => {
  const focused = () =>
    page.evaluate<string>(
      "(({ activeElement: one }) => one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent)(document)",
    );
  for (let count = 0; !label.test(await focused()); count += 1) {
    expect(count).toBeLessThan(40);
    await page.keyboard.press('Tab');
  }
};

/** What is wrong with the fields, by the name of the field, as a screen reader reads it. */
export const faultsOn = (page: Page): Promise<readonly (readonly [name: string, fault: string])[]> =>
  page.evaluate(
    "[...document.querySelectorAll('[aria-invalid=true]')].map((one) => [one.name, document.getElementById(one.getAttribute('aria-describedby')).textContent])",
  );

/** Drops a file on the element. */
export const dropFile = async (page: Page, selector: string, name: string, text: string): Promise<void> => {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], '${name}')); return data; })()`,
  );
  await page.dispatchEvent(selector, 'drop', { dataTransfer });
};

/** Names that would become markup, leave their text, reorder it, or stretch the page. */
export const hostileNames = [
  '<script>document.title=1</script><img src=x onerror="document.title=1">',
  `a\u202egpj.exe \u2066b`,
  'שלום'.repeat(125),
  'W'.repeat(500),
];

/** A response of a receiver of webhooks that would become markup, or reorder its text. */
export const hostileAnswer = '<script>document.title=1</script><img src=x onerror="document.title=1">\u202e שלום';

export const screens = [
  ['light', 390],
  ['dark', 390],
  ['light', 1400],
  ['dark', 1400],
] as const;

/** Fails for each violation of axe, and if the page is wider than its screen. Keeps a picture of the page, or of what the screen shows. */
export const checkScreen = async (
  page: Page,
  name: string,
  colorScheme: (typeof screens)[number][0],
  width: number,
  { fullPage } = { fullPage: true },
): Promise<void> => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(await axe.text());
  await eventually(async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const violations = await page.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
      'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) => violations)',
    );
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
  const file = `${name}-${colorScheme}-${width}.png`;
  await page.screenshot({ path: join(import.meta.dir, 'generated', file), fullPage });
};
