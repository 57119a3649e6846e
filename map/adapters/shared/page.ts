/** A page of a viewer in Chromium. */
import { join } from 'node:path';
import type { ElementHandle, Page } from 'playwright-core';

import { executablePath, launch } from '../../browser.ts';
import { exactJson } from '../../measure/exact-json.ts';
import { valueAt } from '../../measure/operation.ts';
import type { Session } from '../../measure/session.ts';
import { Refusal } from '../../measure/session.ts';

export const chromium = executablePath;

export interface Viewer {
  /** What is in the page, which has `/openapi.json` too. */
  readonly html: string;
  /** Files of packages that the page loads, by path: `{ '/viewer.js': 'redoc/bundles/redoc.standalone.js' }`. */
  readonly files: Readonly<Record<string, string>>;
  /** What a reader clicks to open everything, in this order. */
  readonly clicks?: readonly string[];
  /** What opens only at a click of a pointer, and not of a script. */
  readonly presses?: string;
  /** What shows more while a pointer is over it. */
  readonly hovers?: string;
  /** Where a reader clicks to see another part of the document, if the viewer shows one at a time. */
  readonly parts?: string;
}

/** The visible text of the page: of each part, after each round of clicks, below the pointer, with each choice of a list; and the targets of its links. */
export const textOfPage = async (session: Session, { html, files, parts, ...opened }: Viewer): Promise<string> => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/openapi.json')
        return new Response(exactJson(session.document), { headers: { 'content-type': 'application/json' } });
      const file = files[pathname];
      if (file !== undefined) return new Response(Bun.file(join(session.installation.folder, 'node_modules', file)));
      if (pathname.includes('.')) return new Response(null, { status: 404 });
      const page = `<!doctype html><meta charset="utf-8"><title>viewer</title>${html}`;
      return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
    },
  });
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1200 } });
    await page.route(
      ({ origin }) => origin !== server.url.origin,
      (route) => route.abort(),
    );
    await page.goto(server.url.href);
    const title = `${valueAt(session.document, '/info/title')}`;
    const isReady = `(${visible}).includes(${JSON.stringify(title)})`;
    await page.waitForFunction(isReady, undefined, { timeout: 120_000, polling: 500 }).catch(() => {
      throw new Refusal(`The page does not show the title: ${title}`);
    });
    await Bun.sleep(500);
    const texts = await textsOf(page, opened);
    const count = parts === undefined ? 0 : await page.locator(parts).count();
    for (let index = 0; index < Math.min(count, atMost); index++) {
      await page.locator(`${parts}`).nth(index).click({ timeout: 5000 });
      await Bun.sleep(300);
      texts.push(...(await textsOf(page, opened)));
    }
    return texts.join('\n');
  } finally {
    await browser.close();
    await server.stop(true);
  }
};

/** Of parts, and of presses, hovers and lists in each, so that a large document takes no minutes. Those of the small documents are fewer. */
const atMost = 12;

const textsOf = async (
  page: Page,
  { clicks = [], presses, hovers }: Pick<Viewer, 'clicks' | 'presses' | 'hovers'>,
): Promise<string[]> => {
  const texts = [await settled(page)];
  for (const selector of clicks) {
    await page.locator(`${selector} >> visible=true`).evaluateAll((all: readonly { click?: () => void }[]) => {
      for (const one of all) one.click?.();
    });
    texts.push(await settled(page));
  }
  for (const one of await visibleOf(page, presses)) {
    await one.click({ timeout: 2000 }).catch(() => undefined);
    texts.push(await settled(page));
  }
  for (const one of await visibleOf(page, hovers)) {
    // What the pointer hides cannot be hovered.
    await one.hover({ timeout: 2000 }).catch(() => undefined);
    texts.push(await settled(page));
  }
  const lists = await page.locator('select:visible').elementHandles();
  for (const list of lists.slice(0, atMost))
    for (const index of (await list.$$('option')).keys())
      if (index > 0) {
        await list.selectOption({ index }, { timeout: 1000 }).catch(() => undefined);
        texts.push(await settled(page));
      }
  return [...texts, `${await page.evaluate(targets)}`];
};

const visibleOf = async (page: Page, selector: string | undefined): Promise<ElementHandle[]> =>
  selector === undefined ? [] : (await page.locator(`${selector} >> visible=true`).elementHandles()).slice(0, atMost);

/** The document and the shadow trees in it, which are the pages of web components. */
const roots = `const roots = (root) =>
  [root, ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : []))]`;

const targets = `(() => { ${roots}; return roots(document).flatMap((root) => [...root.querySelectorAll('a[href]')])
  .map(({ href }) => href).join(' ') })()`;

/** The fields of a form show values and placeholders too. */
const visible = `(() => { ${roots};
  const texts = roots(document).flatMap((root) => [...(root.body ? [root.body] : root.children)]
    .filter((one) => one.localName !== 'style').map((one) => one.innerText));
  const fields = roots(document).flatMap((root) => [...root.querySelectorAll('input, textarea')]).filter((one) => one.checkVisibility());
  return [...texts, ...fields.flatMap((one) => [one.value, one.placeholder])].filter(Boolean).join('\\n') })()`;

/** The visible text, once it has stayed the same for a third of a second. */
const settled = async (page: Page): Promise<string> => {
  let text = '';
  for (let same = 0; same < 3; ) {
    await Bun.sleep(100);
    const now = `${await page.evaluate(visible)}`;
    same = now === text ? same + 1 : 0;
    text = now;
  }
  return text;
};
