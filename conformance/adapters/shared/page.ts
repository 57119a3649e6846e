/** A page of a viewer in Chromium. */
import type { Page } from 'playwright-core';

import { executablePath, launch } from '../../browser.ts';
import type { Session } from '../../map/session.ts';
import { Refusal } from '../../map/session.ts';

export const chromium = executablePath;

export interface Viewer {
  readonly html: string;
  /** Files that the page loads, by path. It has `/openapi.json` too. */
  readonly files: Readonly<Record<string, string>>;
  /** A text of the title that shows that the document is there. */
  readonly ready: string;
  /** What a reader clicks to open everything. */
  readonly clicks?: readonly string[];
}

/** The visible text once the page is loaded and everything is open, and the targets of its links. */
export const textOfPage = async (session: Session, { html, files, ready, clicks = [] }: Viewer): Promise<string> => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/') return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
      if (pathname === '/openapi.json') return Response.json(session.document);
      const file = files[pathname];
      return file === undefined ? new Response(null, { status: 404 }) : new Response(Bun.file(file));
    },
  });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}`);
    await page
      .getByText(ready)
      .first()
      .waitFor({ timeout: 30_000 })
      .catch(() => {
        throw new Refusal(`The page does not show ${ready}`);
      });
    await settled(page);
    for (const selector of clicks)
      for (const element of await page.locator(selector).all())
        await element.click({ timeout: 2000 }).catch(() => undefined);
    const text = await settled(page);
    const targets = await page.evaluate('[...document.links].map(({ href }) => href).join(" ")');
    return `${text} ${targets}`;
  } finally {
    await browser.close();
    await server.stop(true);
  }
};

/** The visible text, once it has stayed the same for a second. */
const settled = async (page: Page): Promise<string> => {
  let text = '';
  for (let same = 0; same < 4; ) {
    await Bun.sleep(250);
    const now = `${await page.evaluate('document.body.innerText')}`;
    same = now === text ? same + 1 : 0;
    text = now;
  }
  return text;
};
