/** The daily work with the console, each by mouse, by keyboard and on a telephone. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort } from '../tests/support/network/port.ts';
import { sqlite } from '../tests/support/store/engines.ts';
import { eventually } from '../tests/support/until.ts';
import { openConsole, tabTo } from './console-page.ts';
import { inChromium, useBrowser } from './in-chromium.ts';
import { type Service, startService } from './service.ts';

/** By mouse and by touch the same is pressed, on another screen. */
const ways = [
  ['by mouse', 1400],
  ['by keyboard', 1400],
  ['on a telephone', 390],
] as const;

inChromium('in Chromium, the work with the console', () => {
  const browser = useBrowser();
  let service: Service;
  beforeEach(async () => {
    service = await startService(sqlite, { env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  });
  afterEach(() => service[Symbol.asyncDispose]());

  const send = async (method: string, path: string, body?: string, type = 'application/json'): Promise<string> => {
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': type };
    const response = await fetch(service.url + path, { method, headers, ...(body !== undefined && { body }) });
    expect(response.ok).toBe(true);
    return response.text();
  };
  const get = (path: string): Promise<string> => send('GET', path);
  const create = (path: string, body: object): Promise<string> => send('POST', path, JSON.stringify(body));
  /** Plants with the ids from 1. */
  const addPlants = (count: number, members: (id: number) => object = () => ({})): Promise<string> => {
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    const lines = ids.map((id) => `${JSON.stringify({ id, name: `Plant ${id}`, ...members(id) })}\n`);
    return send('POST', '/import', lines.join(''), 'application/x-ndjson');
  };
  const open = (width: number, view = 'plants') =>
    openConsole(browser, service.url, { token: service.token, view, viewport: { width, height: 900 } });
  const said = (page: Page, words: string) => page.getByRole('status', { name: 'Last action' }).getByText(words);
  const picture = async (page: Page, name: string, way: string): Promise<void> => {
    const path = join(import.meta.dir, 'generated', `console-work-${name}-${way.replaceAll(' ', '-')}.png`);
    await page.screenshot({ path });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      page.viewportSize()?.width ?? 0,
    );
  };
  const toRows = async (page: Page): Promise<void> => {
    await page.getByRole('row').nth(1).waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('ArrowDown');
  };

  test.each(ways)('ten plants get a tag in their rows %s', async (way, width) => {
    await addPlants(12);
    await using opened = await open(width);
    const { page, press } = opened;
    if (way === 'by keyboard') {
      await toRows(page);
      for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    }
    for (let id = 1; id <= 10; id += 1) {
      const field = page.getByRole('textbox', { name: `Tag of plant ${id}`, exact: true });
      if (way === 'by keyboard') {
        // Three keys from saving one row to editing the next: Enter saves, the arrow leads down, and Enter edits.
        if (id > 1) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.keyboard.type(`tag${id}`);
        await page.keyboard.press('Enter');
      } else {
        if (way === 'by mouse') await page.locator(`[data-row="${id}"] [data-stop=tag]`).click();
        else await press(`Edit plant ${id}`);
        await field.fill(`tag${id}`);
        await press(`Save plant ${id}`);
      }
      await said(page, `Saved plant ${id}.`).waitFor();
      await page.locator(`[data-row="${id}"] [data-stop]:focus`).waitFor();
    }
    const plants = await get('/plants');
    expect([...plants.matchAll(/"tag":"(\w+)"/g)].map(([, tag]) => tag)).toEqual(
      Array.from({ length: 10 }, (_, n) => `tag${n + 1}`),
    );
    await picture(page, 'tags', way);
  });

  test('Escape restores a row, and Tab leads from a field to the next', async () => {
    await addPlants(2, () => ({ tag: 'old' }));
    await using opened = await open(1400);
    const { page } = opened;
    await toRows(page);
    await page.keyboard.press('e');
    await page.keyboard.type('typed');
    await page.keyboard.press('Tab');
    await page.locator('[name=tag]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-row="1"] [data-stop=tag]:focus').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Plant 1' }).count()).toBe(1);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-row="1"] [data-stop=tag]:focus').waitFor();
    await page.keyboard.press('n');
    await page.locator('form.panel:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('button:focus', { hasText: 'New plant' }).waitFor();
    await page.keyboard.press('/');
    await page.locator('input.search:focus').waitFor();
  });

  /** As LibreOffice saves it in German: semicolons, CRLF, quotes where needed; and three mistakes. */
  const sheet = (): string => {
    const rows = Array.from(
      { length: 5000 },
      (_, n) => `${n + 1};"Pflanze; ${n + 1}";${n % 2 === 0 ? 'Schatten' : ''}`,
    );
    rows[99] = 'hundert;Hundert;';
    rows[999] = '1000;;';
    rows[4999] = '1;Noch eine;';
    return `\ufeffID;Name;Tag\r\n${rows.join('\r\n')}\r\n`;
  };

  test.each(ways)('a sheet of 5,000 rows with three mistakes is imported %s', async (way, width) => {
    await using opened = await open(width);
    const { page, press } = opened;
    const file = { name: 'pflanzen.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet()) };
    const chooser = page.waitForEvent('filechooser');
    if (way === 'by keyboard') {
      await page.getByText('There are no plants yet.').waitFor();
      await tabTo(page, /^Import a file$/);
      await page.keyboard.press('Enter');
      await page.locator('.drop:focus').waitFor();
      await tabTo(page, /^Drop a CSV/);
      await page.keyboard.press('Enter');
    } else {
      await press('Import a file');
      await page.locator('.drop input[type=file]').click();
    }
    await (await chooser).setFiles(file);
    await page.getByText('4997 to create, 3 rejected.').waitFor();
    await picture(page, 'import', way);
    if (way === 'by keyboard') {
      await tabTo(page, /^Import 4997 plants$/);
      await page.keyboard.press('Enter');
    } else await press('Import 4997 plants');
    await page.getByText('imported. 4997 created, 3 rejected.').waitFor();
    expect(await page.locator('.drop td[data-label=Line]').allTextContents()).toEqual(['101', '1001', '5001']);
    expect(await get('/plants/5')).toContain('"name":"Pflanze; 5","tag":"Schatten"');
  });

  test.each(ways)('300 plants are deleted and the deletion is undone %s', async (way, width) => {
    await addPlants(320, (id) => ({ tag: id <= 300 ? 'old' : 'new', createdAt: '2020-01-02T03:04:05.000Z' }));
    const before = await get('/plants?limit=1000');
    await using opened = await open(width, 'plants?tag=old');
    const { page, press } = opened;
    const pressOn = async (label: string): Promise<void> => {
      if (way === 'by keyboard') {
        await tabTo(page, new RegExp(`^${label}$`));
        await page.keyboard.press('Enter');
      } else await page.getByRole('region', { name: 'Selected plants' }).getByRole('button', { name: label }).click();
    };
    if (way === 'by keyboard') {
      await toRows(page);
      await page.keyboard.press('x');
      await page.locator('.skip').focus();
    } else await page.getByLabel('Select plant 1', { exact: true }).check();
    await pressOn('Select all that fit');
    await page.getByText('300 plants selected').waitFor();
    if (way === 'by keyboard') await page.locator('.skip').focus();
    await pressOn('Delete');
    await page.getByRole('dialog').getByText('Delete 300 plants?').waitFor();
    if (way === 'by keyboard') await page.keyboard.press('Enter');
    else await press('Delete them');
    await said(page, 'Deleted 300 plants.').waitFor();
    expect((await get('/plants?limit=1000')).match(/"id"/g)).toHaveLength(20);
    await picture(page, 'deleted', way);
    if (way === 'by keyboard') await page.keyboard.press('u');
    else await press('Undo the deletion of 300 plants');
    await said(page, 'Undid the deletion of 300 plants.').waitFor();
    // Also the times that they had.
    expect(await get('/plants?limit=1000')).toBe(before);
  });

  test('a tag is set for many and removed, and a plant that somebody else has changed is listed as failed', async () => {
    await addPlants(3, () => ({ tag: 'old' }));
    await using opened = await open(1400);
    const { page, press } = opened;
    await page.getByRole('row').filter({ hasText: 'Plant 3' }).waitFor();
    await page.route('**/plants/2', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"old"', '"theirs"');
      await route.fulfill({ response, body });
    });
    await page.getByLabel('Select this page').check();
    await page.getByLabel('Tag of the selected plants').fill('many');
    await press('Set the tag');
    await said(page, 'Changed 2 plants. 1 failed').waitFor();
    await page.getByRole('list', { name: 'What failed' }).getByText('Somebody else has changed it').waitFor();
    await press('Close the list');
    await page.unrouteAll();
    const tags = async (): Promise<readonly string[]> =>
      [...(await get('/plants')).matchAll(/"tag":"(\w+)"/g)].map(([, tag = '']) => tag);
    expect(await tags()).toEqual(['many', 'old', 'many']);
    await page.getByLabel('Select plant 2', { exact: true }).check();
    await press('Remove the tag');
    await said(page, 'Changed 1 plant.').waitFor();
    expect(await tags()).toEqual(['many', 'many']);
    for (const words of ['Undid the change of 1 plant.', 'Undid the change of 2 plants.']) {
      await page.getByRole('button', { name: /^Undo / }).click();
      await said(page, words).waitFor();
    }
    expect(await tags()).toEqual(['old', 'old', 'old']);
  });

  test.each(ways)('a failing webhook says what to do %s', async (way, width) => {
    const closed = `127.0.0.1:${await freePort()}`;
    using receiver = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () =>
        new Response('Moved to the new shop.', { status: 301, headers: { location: 'https://new.example/hook' } }),
    });
    await using opened = await open(width);
    const { page, press } = opened;
    if (way === 'by keyboard') {
      await tabTo(page, /^Webhooks$/);
      await page.keyboard.press('Enter');
    } else await page.getByRole('link', { name: 'Webhooks' }).click();
    for (const url of [`http://${closed}/`, receiver.url.href]) {
      await page.getByRole('button', { name: 'New webhook' }).waitFor();
      if (way === 'by keyboard') {
        await tabTo(page, /^New webhook$/);
        await page.keyboard.press('Enter');
        await page.locator('form.panel:focus').waitFor();
        await tabTo(page, /^URL/);
        await page.keyboard.type(url);
        await page.keyboard.press('Enter');
      } else {
        await press('New webhook');
        await page.getByLabel('URL').fill(url);
        await press('Create the webhook');
      }
      await page.getByRole('region', { name: 'Secret' }).first().waitFor();
      if (way === 'by keyboard') {
        await tabTo(page, /^I have stored it$/);
        await page.keyboard.press('Enter');
      } else await press('I have stored it');
      await page.getByRole('region', { name: 'Secret' }).waitFor({ state: 'detached' });
    }
    await create('/plants', { id: 1, name: 'n' });
    const card = (address: string) => page.getByRole('article').filter({ hasText: address });
    await card(closed)
      .locator('.notice')
      .getByText(`Nobody answers at ${closed}. Check that the receiver runs`)
      .waitFor();
    const redirected = card(receiver.url.host);
    await redirected.locator('.notice').getByText('The receiver redirects to https://new.example/hook.').waitFor();
    await redirected.locator('.attempts').getByText('It says: Moved to the new shop.').first().waitFor();
    await picture(page, 'webhook', way);
  });

  test.each(ways)(
    'two people change different members of one plant in two tabs %s, and both changes remain',
    async (way, width) => {
      await addPlants(1, () => ({ tag: 'old' }));
      await using first = await open(width);
      await using second = await open(width);
      const edit = async (page: Page, member: string, text: string): Promise<void> => {
        const field = page.getByRole('textbox', { name: `${member} of plant 1`, exact: true });
        if (way === 'by keyboard') {
          await page.bringToFront();
          await toRows(page);
          await page.keyboard.press('e');
          if (member === 'Tag') await page.keyboard.press('Tab');
          await page.keyboard.type(text);
        } else {
          await page.getByRole('button', { name: 'Edit plant 1' }).click();
          await field.fill(text);
        }
      };
      const save = (page: Page): Promise<void> =>
        way === 'by keyboard'
          ? page.keyboard.press('Enter')
          : page.getByRole('button', { name: 'Save plant 1' }).click();
      await edit(first.page, 'Name', 'Mine');
      await edit(second.page, 'Tag', 'theirs');
      await save(second.page);
      await said(second.page, 'Saved plant 1.').waitFor();
      await save(first.page);
      await said(first.page, 'Saved plant 1. Somebody else has changed tag, which stays.').waitFor();
      expect(await get('/plants/1')).toContain('"name":"Mine","tag":"theirs"');
      await picture(first.page, 'two', way);
    },
  );

  test.each(['CSV', 'NDJSON'])(
    'what is seen and what is selected is exported as %s, and imported again',
    async (format) => {
      await addPlants(120, (id) => ({
        name: `"P", ${id}`,
        ...(id > 60 && { tag: id % 2 === 0 ? '' : 'odd' }),
      }));
      await using opened = await open(1400, 'plants?tag=odd');
      const { page, press } = opened;
      await page.getByRole('row').filter({ hasText: '"P", 61' }).waitFor();
      const save = async (button: ReturnType<Page['getByRole']>): Promise<string> => {
        await button.click();
        const download = page.waitForEvent('download');
        await press(`As ${format}`);
        return Bun.file(`${await (await download).path()}`).text();
      };
      const all = await save(page.locator('.head').getByRole('button', { name: 'Export' }));
      expect(all.match(/odd/g)).toHaveLength(30);
      await page.getByLabel('Select plant 61', { exact: true }).check();
      const selected = page.getByRole('region', { name: 'Selected plants' });
      const one = await save(selected.getByRole('button', { name: 'Export' }));
      expect(all).toStartWith(one.trimEnd().replaceAll('\r\n', all.includes('\r\n') ? '\r\n' : '\n'));
      await press('Import a file');
      await page
        .locator('.drop input[type=file]')
        .setInputFiles({ name: `plants.${format.toLowerCase()}`, mimeType: 'text/plain', buffer: Buffer.from(one) });
      await page.getByText('0 to create, 1 unchanged, 0 rejected.').waitFor();
    },
  );

  test('a part of a name is found in any case, far behind the first page, and the link to the search has it', async () => {
    await addPlants(12_000, (id) => (id > 11_998 ? { name: `Arabidopsis LYRATA ${id}` } : {}));
    await using opened = await open(1400);
    const { page } = opened;
    await page.getByRole('searchbox', { name: 'Search' }).fill('lyrata');
    await page.getByRole('row').filter({ hasText: 'LYRATA 11999' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'LYRATA 12000' }).waitFor();
    expect(page.url()).toEndWith('#plants?search=lyrata');
    await using again = await open(1400, 'plants?search=lyrata');
    await again.page.getByRole('row').filter({ hasText: 'LYRATA 12000' }).waitFor();
    expect(await again.page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('lyrata');
  });

  test('a plant is opened by its link, which another person can open, and is edited there', async () => {
    await addPlants(120);
    await using opened = await open(1400);
    await opened.page.getByRole('link', { name: 'Open plant 7', exact: true }).click();
    await opened.page.getByRole('region', { name: 'Plant 7' }).getByText('Plant 7').first().waitFor();
    expect(opened.page.url()).toEndWith('#plants?open=7');
    await using other = await open(1400, 'plants?open=119');
    const { page, press } = other;
    const details = page.getByRole('region', { name: 'Plant 119' });
    await details.getByRole('button', { name: 'Edit' }).click();
    // It is not on this page of the list.
    await page.getByRole('textbox', { name: 'Name of plant 119' }).fill('By link');
    await page.keyboard.press('Enter');
    await said(page, 'Saved plant 119.').waitFor();
    await details.getByRole('definition').getByText('By link').waitFor();
    await details.getByRole('button', { name: 'Close' }).click();
    await details.waitFor({ state: 'detached' });
    await press('Next page');
    await page.getByText('Page 2 of 120 plants').waitFor();
    await page.goBack();
    await page.getByText('Page 1 of 120 plants').waitFor();
  });

  test('the log restores a plant as it was, and one that was deleted', async () => {
    await addPlants(1, () => ({ tag: 'old' }));
    await using opened = await open(1400);
    const { page, press } = opened;
    await press('Edit plant 1');
    await page.getByRole('textbox', { name: 'Name of plant 1' }).fill('Changed');
    await page.keyboard.press('Enter');
    await said(page, 'Saved plant 1.').waitFor();
    await press('Delete plant 1');
    await said(page, 'Deleted plant 1.').waitFor();
    await page.getByRole('link', { name: 'Log' }).click();
    await press('Restore plant 1 as of event 3');
    await said(page, 'Restored plant 1.').waitFor();
    expect(await get('/plants/1')).toContain('"name":"Changed","tag":"old"');
    await press('Restore plant 1 as of event 1');
    await eventually(async () => expect(await get('/plants/1')).toContain('"name":"Plant 1","tag":"old"'));
    // The history of the plant has the same, and no event of another one.
    await create('/plants', { id: 2, name: 'Other' });
    await page.getByRole('link', { name: 'Plants', exact: true }).click();
    await page.getByRole('link', { name: 'Open plant 1' }).click();
    const history = page.getByRole('list', { name: 'Events of plant 1, the newest first' });
    await eventually(async () =>
      expect(await history.locator('li code').allTextContents()).toEqual(['1', '1', '1', '1', '1']),
    );
    await history.getByRole('button', { name: 'Restore plant 1 as of event 2' }).click();
    await eventually(async () => expect(await get('/plants/1')).toContain('"Changed"'));
    await eventually(async () => expect(await history.locator('li').count()).toBe(6));
  });

  test('a long log begins with its newest events, and reads backwards', async () => {
    await addPlants(250);
    await using opened = await open(1400, 'log');
    const { page, press } = opened;
    const ids = page.locator('.moving li code');
    await eventually(async () => expect([await ids.count(), await ids.first().textContent()]).toEqual([100, '250']));
    await press('Older events');
    await eventually(async () => expect(await ids.count()).toBe(200));
    await press('Older events');
    await eventually(async () => expect([await ids.count(), await ids.last().textContent()]).toEqual([250, '1']));
    expect(await page.getByRole('button', { name: 'Older events' }).count()).toBe(0);
  });

  test('changes of others are marked in their rows, added plants are announced, and nothing moves', async () => {
    await addPlants(3);
    await using opened = await open(1400);
    const { page, press } = opened;
    await page.getByRole('row').filter({ hasText: 'Plant 3' }).waitFor();
    await send('PATCH', '/plants/2', '{"name":"Theirs"}');
    await send('DELETE', '/plants/1');
    await create('/plants', { id: -1, name: 'Added' });
    await page.getByText('1 plant added by others.').waitFor();
    const words = page.locator('td.number');
    await eventually(async () => expect(await words.allTextContents()).toEqual(['1 deleted', '2 changed', '3']));
    await press('Show');
    await eventually(async () => expect(await words.allTextContents()).toEqual(['-1', '2', '3']));
  });

  test('a plant that the page has created on another page of the list is not announced as added by others', async () => {
    await addPlants(120);
    await using opened = await open(1400);
    const { page, press } = opened;
    await page.getByText('Page 1 of 120 plants').waitFor();
    await press('New plant');
    await page.getByLabel('Id', { exact: true }).fill('500');
    await page.getByLabel('Name', { exact: true }).fill('Own');
    await page.keyboard.press('Enter');
    await page.getByText('Page 1 of 121 plants').waitFor();
    // Later events are shown with those before them.
    await send('PATCH', '/plants/2', '{"name":"Theirs"}');
    await page.locator('td.number').getByText('2 changed').waitFor();
    expect(await page.getByText('added by others').count()).toBe(0);
  });

  test('5,000 plants that somebody else imports are announced a few times, and not one by one', async () => {
    await using opened = await open(1400);
    const { page } = opened;
    await page.getByText('There are no plants yet.').waitFor();
    await page.evaluate(
      'new MutationObserver((all) => { window.changes = (window.changes ?? 0) + all.length }).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true })',
    );
    await addPlants(5000);
    await page.getByText('5000 plants added by others.').waitFor();
    // The notice has one text node that changes, ten times a second at most.
    expect(await page.evaluate('window.changes')).toBeLessThan(1000);
  });
});
