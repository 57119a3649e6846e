/** The pages of a built site in Chromium. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launch } from '../../browser.ts';
import { Refusal, type Session } from '../../measure/session.ts';

interface Site {
  /** Its folder, relative to that of the session. */
  readonly folder: string;
  /** The page `/a` is in the file `a.html`. */
  readonly pages: readonly string[];
  /** What a reader clicks on a page to open everything, in this order. */
  readonly clicks: readonly string[];
}

/** The visible text of the pages, after each round of clicks, and the targets of their links. */
export const textOfSite = async (session: Session, { folder, pages, clicks }: Site): Promise<string> => {
  const root = session.file(folder);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const path = join(root, decodeURIComponent(new URL(url).pathname));
      const file = [path, `${path}.html`].find((one) => existsSync(one) && statSync(one).isFile());
      return file === undefined ? new Response(null, { status: 404 }) : new Response(Bun.file(file));
    },
  });
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1200 } });
    await page.route(
      ({ origin }) => origin !== server.url.origin,
      (route) => route.abort(),
    );
    const texts: string[] = [];
    for (const name of pages) {
      await page.goto(new URL(name, server.url).href, { waitUntil: 'networkidle' });
      texts.push(await settled(page));
      for (const selector of clicks) {
        // What another one has closed or covered cannot be clicked.
        for (const one of await page.locator(`${selector} >> visible=true`).elementHandles())
          await one.click({ timeout: 1000 }).catch(() => undefined);
        texts.push(await settled(page));
      }
      texts.push(
        `${await page.evaluate("[...document.querySelectorAll('a[href]')].map(({ href }) => href).join(' ')")}`,
      );
    }
    const { title = '' } = session.document['info'] as { readonly title?: string };
    if (!texts.join('\n').includes(title)) throw new Refusal(`The pages do not show the title: ${title}`);
    return texts.join('\n');
  } finally {
    await browser.close();
    await server.stop(true);
  }
};

/** The visible text, once it has stayed the same for a third of a second. */
const settled = async (page: Page): Promise<string> => {
  let text = '';
  for (let same = 0; same < 3; ) {
    await Bun.sleep(100);
    const now = `${await page.evaluate('document.body.innerText')}`;
    same = now === text ? same + 1 : 0;
    text = now;
  }
  return text;
};
