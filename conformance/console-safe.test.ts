/** What the console must not lose or spoil: behind proxies, in old browsers, with blocked storage, in many tabs, and under a rate limit. */
import { beforeEach, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { sqlite } from '../tests/support/store/engines.ts';
import { eventually, until } from '../tests/support/until.ts';
import { dropFile, enterToken, openConsole } from './console-page.ts';
import { inChromium, useBrowser, useDemo } from './in-chromium.ts';
import { startService } from './service.ts';

inChromium('in Chromium, the console is safe', () => {
  const browser = useBrowser();
  const demo = useDemo();
  const { call } = demo;
  beforeEach(demo.reset);

  const field = (page: Page, member: string, id: number) =>
    page.getByRole('textbox', { name: `${member} of plant ${id}`, exact: true });
  const said = (page: Page, words: string) => page.getByRole('status', { name: 'Last action' }).getByText(words);

  test.each([
    ['weak, as nginx with gzip', (etag: string) => `W/${etag}`],
    ['with a suffix, as Apache', (etag: string) => etag.replace(/"$/, '-gzip"')],
    ['removed', () => undefined],
  ])('behind a proxy that makes entity tags %s, plants are changed and deleted', async (_, change) => {
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    await page.route('**/plants/*', async (route) => {
      const response = await route.fetch();
      const { etag, ...headers } = response.headers();
      const changed = etag === undefined ? undefined : change(etag);
      await route.fulfill({ response, headers: { ...headers, ...(changed !== undefined && { etag: changed }) } });
    });
    await press('Edit plant 1');
    await field(page, 'Name', 1).fill('Behind');
    await press('Save plant 1');
    await said(page, 'Saved plant 1.').waitFor();
    expect(await call('GET', '/plants/1')).toContain('"Behind"');
    await press('Delete plant 2');
    await said(page, 'Deleted plant 2.').waitFor();
    expect(await call('GET', '/plants')).not.toContain('Ficus');
  });

  test('a browser that rounds ids says so, and offers no change for such a plant', async () => {
    await call('POST', '/plants', '{"id":9007199254740993,"name":"Odd"}');
    await using opened = await openConsole(browser, `${demo.url}`, { view: 'log' });
    const { page } = opened;
    await page.addInitScript(
      'const own = JSON.parse; JSON.parse = (text, revive) => own(text, revive && ((name, value) => revive(name, value))); delete JSON.rawJSON;',
    );
    await page.goto(`${demo.url}/console?old#plants`);
    await page.getByRole('alert').getByText('cannot read ids beyond 9007199254740992 exactly').waitFor();
    const odd = page.getByRole('row').filter({ hasText: 'Odd' });
    await odd.getByText('about 9007199254740992').waitFor();
    expect(await odd.getByRole('button').count()).toBe(0);
    expect(await odd.getByRole('checkbox').count()).toBe(0);
    await odd.locator('[data-stop=name]').click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    expect(await odd.getByRole('textbox').count()).toBe(0);
    // Neither does the page of the plant, whose address has the exact id.
    await page.goto(`${demo.url}/console?old#plants?open=9007199254740993`);
    const details = page.getByRole('region', { name: 'Plant 9007199254740993' });
    await details.getByRole('definition').getByText('Odd').waitFor();
    await details.getByRole('listitem').getByText('about 9007199254740992').waitFor();
    expect(await details.getByRole('button').allTextContents()).toEqual(['Close']);
    // Other plants can be changed, and a new one can have any id.
    await page.getByRole('button', { name: 'Edit plant 1', exact: true }).click();
    await field(page, 'Name', 1).fill('Exact');
    await page.keyboard.press('Enter');
    await said(page, 'Saved plant 1.').waitFor();
    await page.getByRole('button', { name: 'New plant' }).click();
    await page.getByLabel('Id', { exact: true }).fill('-9223372036854775808');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await said(page, 'Created plant -9223372036854775808.').waitFor();
    expect(await call('GET', '/plants/-9223372036854775808')).toContain('"id":-9223372036854775808,');
    expect(await call('GET', '/plants/9007199254740993')).toContain('"Odd"');
  });

  test('with blocked storage, the console and the reference page work, and the console says that it keeps no token', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page } = opened;
    const blockStorage = `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { configurable: true, get() { throw new DOMException('blocked', 'SecurityError'); } });`;
    await page.addInitScript(blockStorage);
    await page.goto(`${demo.url}/console?blocked`);
    await page.getByRole('row').filter({ hasText: 'Monstera' }).waitFor();
    await page.locator('.token summary').click();
    await page.getByLabel('Keep it').selectOption('browser');
    await page.getByRole('button', { name: 'Use the token' }).click();
    await page.getByText('This browser stores nothing for the page').waitFor();
    // Scalar writes its version to the console of the browser.
    const reference = await browser.newPage();
    await reference.addInitScript(blockStorage);
    for (const path of ['/swagger', '/swagger?ui=swagger']) {
      await reference.goto(demo.url + path);
      await reference.getByText('List plants').first().waitFor();
    }
    await reference.close();
  });

  test('an unknown view says so, and shows the plants', async () => {
    for (const view of ['nothing', 'plants%', '__proto__?a=b']) {
      await using opened = await openConsole(browser, demo.url, { view });
      await opened.page.getByText('This address has no view.').waitFor();
      await opened.page.getByRole('row').filter({ hasText: 'Monstera' }).waitFor();
    }
  });

  test('seven tabs share one stream, and another tab has it when that one is closed or hidden', async () => {
    const context = await browser.newContext();
    const expectStreams = (count: number): Promise<void> =>
      eventually(async () => expect(await call('GET', '/metrics')).toContain(`\nplant_store_streams ${count}\n`));
    const pages: Page[] = [];
    for (let count = 0; count < 7; count += 1) {
      const page = await context.newPage();
      await page.goto(`${demo.url}/console`);
      await page.getByRole('row').filter({ hasText: 'Monstera' }).waitFor();
      pages.push(page);
    }
    let tag = 0;
    const expectLive = async (all: readonly Page[]): Promise<void> => {
      // The next leader begins with the next event, and all others have it from there.
      await expectStreams(1);
      tag += 1;
      await call('PATCH', '/plants/1', `{"tag":"t${tag}"}`);
      for (const page of all)
        await page.getByRole('row').filter({ hasText: 'Monstera' }).getByText(`t${tag}`, { exact: true }).waitFor();
    };
    await expectLive(pages);
    await pages[0]?.close();
    await expectLive(pages.slice(1));
    const [, hidden, ...others] = pages;
    const setHidden = (isHidden: boolean) =>
      hidden?.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} }), document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await setHidden(true);
    await expectLive(others);
    for (const page of others) await page.close();
    await expectStreams(0);
    // It reads what it has missed.
    await call('PATCH', '/plants/1', '{"tag":"missed"}');
    await setHidden(false);
    await hidden?.getByRole('row').filter({ hasText: 'Monstera' }).getByText('missed', { exact: true }).waitFor();
    await expectStreams(1);
    await context.close();
  });

  test('a token is understood as it was pasted, and a second tab has it if the browser keeps it', async () => {
    await using service = await startService();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/console`);
    await page.getByLabel('Keep it').selectOption('browser');
    await enterToken(page, `\u200bAuthorization: Bearer "${service.token}"`);
    await page.getByText('There are no plants yet.').waitFor();
    const second = await context.newPage();
    await second.goto(`${service.url}/console`);
    await second.getByText('There are no plants yet.').waitFor();
    // It is removed from the browser when the user keeps it elsewhere.
    await second.locator('.token summary').click();
    await second.getByLabel('Keep it').selectOption('page');
    await second.getByRole('button', { name: 'Use the token' }).click();
    await until(async () => !(await second.evaluate<string>('JSON.stringify({ ...localStorage })')).includes('plant_'));
    await context.close();
  });

  test('under a rate limit the page waits, says so, and continues', async () => {
    await using service = await startService(sqlite, { env: { RATE_LIMIT: '6/3s' } });
    await using opened = await openConsole(browser, service.url, { token: service.token });
    const { page, press } = opened;
    await press('New plant');
    await page.getByLabel('Id', { exact: true }).fill('1');
    await page.getByLabel('Name', { exact: true }).fill('Slow');
    for (let count = 0; count < 8; count += 1) await press('Reload');
    await press('Save');
    await page.getByText('The page waits, and continues.').waitFor();
    await page.getByRole('row').filter({ hasText: 'Slow' }).waitFor();
    await page.getByText('The page waits, and continues.').waitFor({ state: 'detached' });
    await page.getByText('Created plant 1.').waitFor();
    expect(await page.getByText('Try again').count()).toBe(0);
  });

  test('typed text is not lost: by another row, panel, view or page, and the browser asks before it leaves', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    await press('New plant');
    await page.getByLabel('Id', { exact: true }).fill('77');
    await press('Edit plant 1');
    await field(page, 'Name', 1).fill('first');
    await press('Edit plant 2');
    await field(page, 'Name', 2).fill('second');
    await press('Import a file');
    await page.getByRole('region', { name: 'Import' }).waitFor();
    await page.getByRole('link', { name: 'Log' }).click();
    await page.getByRole('link', { name: 'Plants' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('Moss');
    await page.getByRole('row').filter({ hasText: 'Moss' }).waitFor();
    expect(await field(page, 'Name', 1).inputValue()).toBe('first');
    expect(await field(page, 'Name', 2).inputValue()).toBe('second');
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('77');
    const form = page.getByRole('form', { name: 'New plant' });
    await form.getByRole('button', { name: 'Cancel' }).click();
    await press('Keep it');
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('77');
    const asked = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    expect(await field(page, 'Name', 1).inputValue()).toBe('first');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await press('Discard it');
    await form.waitFor({ state: 'detached' });
    // The focus is where the panel was opened.
    await page.locator('button:focus', { hasText: 'New plant' }).waitFor();
  });

  test('late answers change no other row or page, a load is shown, and the last page that becomes empty is left', async () => {
    const count = 51;
    for (let id = 100; id < 100 + count; id += 1)
      await call('POST', '/plants', `{"id":${id},"name":"p${id}","tag":"t"}`);
    await using opened = await openConsole(browser, demo.url, { view: 'plants?tag=t' });
    const { page, press } = opened;
    await page.getByRole('row').filter({ hasText: 'p149' }).waitFor();
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/plants?*after=*', async (route) => {
      await held;
      await route.continue();
    });
    await press('Next page');
    await page.getByText('Loading …').waitFor();
    // The page pressed a second time cannot be asked for yet.
    await page.getByRole('button', { name: 'Next page', disabled: true }).waitFor();
    await page.goBack();
    answer();
    await page.getByText('Page 1 of 51 plants').waitFor();
    await page.getByRole('row').filter({ hasText: 'p149' }).waitFor();
    await press('Next page');
    await page.getByText('Page 2 of 51 plants').waitFor();
    await page.getByRole('row').filter({ hasText: 'p150' }).waitFor();
    expect(page.url()).toContain('page=2');
    // The link has the page, and a reload too.
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'p150' }).waitFor();
    await press('Delete plant 150');
    await said(page, 'Deleted plant 150.').waitFor();
    await press('Reload');
    await page.getByText('Page 1 of 50 plants').waitFor();
    expect(await page.getByText('There are no plants yet.').count()).toBe(0);
  });

  test('a late answer of a save leaves the edit of another row alone', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/plants/1', async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await press('Edit plant 1');
    await field(page, 'Name', 1).fill('late');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'saving …' }).waitFor();
    await press('Edit plant 2');
    await field(page, 'Name', 2).fill('typed');
    answer();
    await said(page, 'Saved plant 1.').waitFor();
    expect(await field(page, 'Name', 2).inputValue()).toBe('typed');
    await page.locator('[name=name]:focus').waitFor();
  });

  test('a mended file can be chosen again, and secrets stay until they are stored', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    await press('Import a file');
    const choose = (text: string): Promise<void> =>
      page
        .locator('.drop input[type=file]')
        .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('id,tag\n1,a\n');
    await page.locator('.drop').getByRole('alert').waitFor();
    await choose('id,name\n70,a\n');
    await page.locator('.drop').getByText('1 to create, 0 rejected.').waitFor();
    await dropFile(page, '.drop', 'b.csv', 'id,name\n71,a\n72,b\n');
    await page.locator('.drop').getByText('2 to create, 0 rejected.').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    const card = page.getByRole('article').first();
    await card.getByRole('button', { name: 'Rotate the secret' }).click();
    const secrets = page.getByRole('region', { name: 'Secret' });
    await secrets.first().waitFor();
    await card.getByRole('button', { name: 'Rotate the secret' }).click();
    await eventually(async () => expect(await secrets.count()).toBe(2));
    await secrets.first().getByRole('button', { name: 'I have stored it' }).click();
    await eventually(async () => expect(await secrets.count()).toBe(1));
  });

  test('fields are not enlarged by telephones, an id can have a minus, each view has its title, and times their zone', async () => {
    await using opened = await openConsole(browser, demo.url, { timezoneId: 'America/St_Johns', locale: 'en-US' });
    const { page, press } = opened;
    await press('New plant');
    await press('Edit plant 1');
    const sizes = await page.evaluate<readonly number[]>(
      "[...document.querySelectorAll('input:not([type=checkbox], [type=file]), select')].map((one) => parseFloat(getComputedStyle(one).fontSize))",
    );
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
    expect(await page.getByLabel('Id', { exact: true }).getAttribute('inputmode')).toBe('text');
    expect(await page.locator('[data-row="1"] time').first().textContent()).toMatch(/^2026-05-01 07:00:00 GMT−2:30$/);
    for (const [link, title] of [
      ['Log', 'Log · Plant Store'],
      ['Webhooks', 'Webhooks · Plant Store'],
      ['Health', 'Health · Plant Store'],
      ['Plants', 'Plants · Plant Store'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await eventually(async () => expect(await page.title()).toBe(title));
    }
  });

  test('with a zoom of 400 %, each view fits the screen, and nothing sticks over the rows', async () => {
    // A screen of 1280 by 1024 pixels has 320 by 256 of CSS then.
    await using opened = await openConsole(browser, demo.url, { viewport: { width: 320, height: 256 } });
    const { page, press } = opened;
    await press('Edit plant 1');
    await field(page, 'Name', 1).fill('Zoomed');
    await press('Save plant 1');
    await said(page, 'Saved plant 1.').waitFor();
    for (const view of ['Plants', 'Log', 'Webhooks', 'Health']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.getByRole('heading', { name: view, exact: true }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    }
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('footer')).position")).toBe('static');
  });
});
