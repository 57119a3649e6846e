/** The plants of the console in a real browser: pages, exact ids, changes with conflicts, imports, and hostile names. */
import { beforeEach, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { temporaryFolder } from '../tests/support/folder.ts';
import { startNginx } from '../tests/support/network/balancer.ts';
import { runProgram, startServer } from '../tests/support/programs/process.ts';
import { eventually } from '../tests/support/until.ts';
import { checkScreen, dropFile, faultsOn, hostileNames, openConsole, screens, tabTo } from './console-page.ts';
import { inChromium, useBrowser, useDemo } from './in-chromium.ts';

inChromium('in Chromium, the plants', () => {
  const browser = useBrowser();
  const demo = useDemo();
  const { call } = demo;
  beforeEach(demo.reset);

  const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });
  const expectNames = (page: Page, ...names: readonly string[]): Promise<void> =>
    eventually(async () => expect(await page.locator('td[data-label=Name]').allTextContents()).toEqual([...names]));
  /** A member of a plant, in the row that is edited. */
  const cell = (page: Page, member: string, id: number | string): Locator =>
    page.getByRole('textbox', { name: `${member} of plant ${id}`, exact: true });
  const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
    const form = page.locator('form.panel');
    for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text);
  };

  test.each(['9223372036854775807', '-9223372036854775808', '9007199254740993'])(
    'the id %s is sent, shown and changed exactly',
    async (id) => {
      await using opened = await openConsole(browser, demo.url);
      const { page, press } = opened;
      await press('New plant');
      await fill(page, { Id: id, Name: 'Edge', Tag: 'far' });
      await press('Save');
      await row(page, 'Edge').getByText(id, { exact: true }).waitFor();
      await press(`Edit plant ${id}`);
      await cell(page, 'Name', id).fill('Edges');
      await press(`Save plant ${id}`);
      await page.getByText(`Saved plant ${id}.`).waitFor();
      await row(page, 'Edges').getByText(id, { exact: true }).waitFor();
      expect(await call('GET', `/plants/${id}`)).toStartWith(`{"id":${id},"name":"Edges","tag":"far",`);
      await press(`Delete plant ${id}`);
      await page.getByText(`Deleted plant ${id}.`).waitFor();
      await press('Reload');
      await row(page, 'Edges').waitFor({ state: 'detached' });
    },
  );

  test('a tag is removed, empty or a text', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    const expectTag = async (shown: string, expected: RegExp): Promise<void> => {
      await press('Save plant 1');
      await row(page, 'Monstera').getByText(shown, { exact: true }).waitFor();
      await eventually(async () => expect(await call('GET', '/plants/1')).toMatch(expected));
    };
    await press('Edit plant 1');
    await cell(page, 'Tag', 1).fill('');
    await expectTag('none', /"name":"Monstera","createdAt"/);
    await press('Edit plant 1');
    await press('Tag: an empty text instead of none');
    await expectTag('empty', /"tag":""/);
    await press('Edit plant 1');
    await cell(page, 'Tag', 1).fill('house');
    await expectTag('house', /"tag":"house"/);
  });

  test('all that is wrong with a plant is shown at its fields, in the form and in a row, and what was typed stays', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    const expectFaults = (...faults: readonly (readonly [string, string])[]): Promise<void> =>
      eventually(async () => expect(await faultsOn(page)).toEqual([...faults]));
    const tooLong = [
      ['name', 'Name must be a string of at most 500 characters.'],
      ['tag', 'Tag must be a string of at most 100 characters.'],
    ] as const;
    await press('New plant');
    await fill(page, { Id: '1.5' });
    await press('Save');
    await expectFaults(['', 'The id must be an integer from -9223372036854775808 to 9223372036854775807.']);
    await page.locator('form.panel input.code').fill('50');
    await fill(page, { Name: 'x'.repeat(501), Tag: 'y'.repeat(101) });
    await press('Save');
    await expectFaults(...tooLong);
    await fill(page, { Name: 'x'.repeat(500) });
    await press('Save');
    await expectFaults(['tag', 'Tag must be a string of at most 100 characters.']);
    await fill(page, { Tag: '' });
    await press('Save');
    await page.getByText('Created plant 50.').waitFor();
    await press('Edit plant 1');
    await cell(page, 'Name', 1).fill('x'.repeat(501));
    await cell(page, 'Tag', 1).fill('y'.repeat(101));
    await press('Save plant 1');
    await expectFaults(...tooLong);
    expect(await cell(page, 'Name', 1).inputValue()).toBe('x'.repeat(501));
  });

  test('two people in two tabs change different members of a plant, and both changes remain', async () => {
    await using first = await openConsole(browser, demo.url);
    await using second = await openConsole(browser, demo.url);
    for (const { press } of [first, second]) await press('Edit plant 1');
    await cell(first.page, 'Name', 1).fill('Mine');
    await cell(second.page, 'Tag', 1).fill('theirs');
    await second.press('Save plant 1');
    await second.page.getByText('Saved plant 1.').waitFor();
    await first.press('Save plant 1');
    await first.page.getByText('Saved plant 1. Somebody else has changed tag, which stays.').waitFor();
    expect(await call('GET', '/plants/1')).toStartWith('{"id":1,"name":"Mine","tag":"theirs",');
    // Both lists are live.
    for (const { page } of [first, second]) await row(page, 'Mine').getByText('theirs', { exact: true }).waitFor();
  });

  test('a member that two people change is shown with both values, and nothing is overwritten until the user says so', async () => {
    await using first = await openConsole(browser, demo.url);
    await using second = await openConsole(browser, demo.url);
    for (const [{ page, press }, name, tag] of [
      [first, 'Mine', 'tropical'],
      [second, 'Theirs', 'other'],
    ] as const) {
      await press('Edit plant 1');
      await cell(page, 'Name', 1).fill(name);
      await cell(page, 'Tag', 1).fill(tag);
    }
    await second.press('Save plant 1');
    await second.page.getByText('Saved plant 1.').waitFor();
    await first.press('Save plant 1');
    const conflict = first.page.locator('.conflict');
    await conflict.getByText('Somebody else has changed plant 1').waitFor();
    const names = conflict.getByRole('row').filter({ hasText: 'Name' }).getByRole('cell');
    await eventually(async () => expect(await names.allTextContents()).toEqual(['Mine', 'Theirs']));
    expect(await call('GET', '/plants/1')).toContain('"name":"Theirs","tag":"other"');
    // A second change, while the user decides, is a conflict again.
    await call('PATCH', '/plants/1', '{"name":"Later"}');
    await first.press('Save the chosen values');
    await conflict.getByText('Later').waitFor();
    await first.press('Save the chosen values');
    await first.page.getByText('Saved plant 1.').waitFor();
    // The tag is theirs: the user has not touched it.
    expect(await call('GET', '/plants/1')).toStartWith('{"id":1,"name":"Mine","tag":"other",');
    // Of another conflict, the user takes the other value.
    await first.press('Edit plant 1');
    await cell(first.page, 'Name', 1).fill('Again');
    await call('PATCH', '/plants/1', '{"name":"Last"}');
    await first.press('Save plant 1');
    await conflict.getByRole('radio').nth(1).check();
    await first.press('Save the chosen values');
    await row(first.page, 'Last').waitFor();
    expect(await call('GET', '/plants/1')).toContain('"Last"');
  });

  test('a plant that was changed since it was shown is deleted only if the user says so', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    await row(page, 'Ficus').waitFor();
    // The page does not hear of it.
    await page.route('**/events', (route) => route.abort());
    await page.reload();
    await row(page, 'Ficus').waitFor();
    await call('PATCH', '/plants/2', '{"name":"Fig"}');
    await press('Delete plant 2');
    await page.getByRole('dialog').getByText('Name: Ficus → Fig').waitFor();
    await press('Keep it');
    expect(await call('GET', '/plants/2')).toContain('"Fig"');
    await press('Delete plant 2');
    await page.getByText('Deleted plant 2.').waitFor();
    await press('Restore plant 2');
    await page.getByText('Restored plant 2.').waitFor();
    expect(await call('GET', '/plants/2')).toContain('"Fig"');
  });

  test('the pages follow the links, also of one tag', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `{"id":${index + 100},"name":"p${index}","tag":"t"}`);
    for (const line of lines) await call('POST', '/plants', line);
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    await page.getByRole('searchbox', { name: 'Search' }).fill('tag:t');
    await page.keyboard.press('Enter');
    const names = lines.map((_, index) => `p${index}`);
    await expectNames(page, ...names.slice(0, 50));
    await press('Next page');
    await expectNames(page, ...names.slice(50, 100));
    await press('Next page');
    await expectNames(page, ...names.slice(100));
    await page.getByRole('button', { name: 'Next page', disabled: true }).waitFor();
    await press('Previous page');
    await expectNames(page, ...names.slice(50, 100));
  });

  test('the list has several tags, the beginning of a name, and other orders', async () => {
    for (const [id, name, tag] of [
      [10, 'Fern', 'shade'],
      [11, 'Fennel', 'herb'],
      [12, 'Fig', ''],
    ])
      await call('POST', '/plants', JSON.stringify({ id, name, tag }));
    await using opened = await openConsole(browser, demo.url);
    const { page } = opened;
    const search = page.getByRole('searchbox', { name: 'Search' });
    await page.getByText('Page 1 of 8 plants').waitFor();
    await page.getByLabel('Order').selectOption('Newest first');
    await expectNames(page, 'Fig', 'Fennel', 'Fern', 'Sequoia', 'Baobab', 'Ficus', 'Monstera', 'Moss');
    const chip = (name: string): Locator => page.getByRole('group', { name: 'Tags' }).getByRole('button', { name });
    await chip('shade').click();
    await expectNames(page, 'Fern');
    await search.fill('tag:herb');
    await page.keyboard.press('Enter');
    await expectNames(page, 'Fennel', 'Fern');
    await search.fill('tag:');
    await page.keyboard.press('Enter');
    await expectNames(page, 'Fig', 'Fennel', 'Fern', 'Moss');
    await chip('empty tag').click();
    await expectNames(page, 'Fennel', 'Fern');
    await chip('shade').click();
    await chip('herb').click();
    await search.fill('Fe');
    await page.getByRole('button', { name: 'Id' }).click();
    await expectNames(page, 'Fern', 'Fennel');
    await page.getByRole('button', { name: 'Id' }).click();
    await expectNames(page, 'Fennel', 'Fern');
    await search.fill('xyz');
    await page.getByText('No plant fits.').waitFor();
  });

  test.each(['mouse', 'keyboard'])(
    'a heading orders the list by name, and then the other way, with the %s',
    async (device) => {
      for (const [id, name] of [
        [10, 'apple'],
        [11, 'Zinnia'],
      ])
        await call('POST', '/plants', JSON.stringify({ id, name }));
      await using opened = await openConsole(browser, demo.url);
      const { page } = opened;
      await page.getByText('Page 1 of 7 plants').waitFor();
      const heading = page.getByRole('columnheader', { name: 'Name' });
      const button = heading.getByRole('button');
      // The button keeps the focus, so one key orders the list the other way.
      if (device === 'keyboard') await tabTo(page, /^Name$/);
      const order = (): Promise<void> => (device === 'keyboard' ? page.keyboard.press('Enter') : button.click());
      await order();
      await expectNames(page, 'Baobab', 'Ficus', 'Monstera', 'Moss', 'Sequoia', 'Zinnia', 'apple');
      expect(await heading.getAttribute('aria-sort')).toBe('ascending');
      expect(page.url()).toEndWith('#plants?sort=name');
      await order();
      await expectNames(page, 'apple', 'Zinnia', 'Sequoia', 'Moss', 'Monstera', 'Ficus', 'Baobab');
      expect(await heading.getAttribute('aria-sort')).toBe('descending');
      await page.reload();
      await expectNames(page, 'apple', 'Zinnia', 'Sequoia', 'Moss', 'Monstera', 'Ficus', 'Baobab');
    },
  );

  test('a dropped file is shown as a preview, imported, and its rejected rows are listed and saved as a file', async () => {
    const file =
      'id,name,tag\r\n9223372036854775807,"Say ""hi""\nthere",\r\n5,Fern,""\r\n1,Other,\r\nx,Bad,\r\n6,,\r\n7,Unquoted, comma,a\r\n';
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    await press('Import a file');
    await dropFile(page, '.drop', 'plants.csv', file);
    await page.getByText('a preview, nothing is imported yet. 2 to create, 4 rejected.').waitFor();
    expect(await call('GET', '/plants')).not.toContain('Fern');
    const rejected = page.getByRole('table', { name: 'Rejected rows' }).getByRole('row');
    await eventually(async () =>
      expect((await rejected.allTextContents()).slice(1).toSorted()).toEqual([
        expect.stringMatching(/^5A plant with this id exists/),
        expect.stringMatching(/^6Id /),
        expect.stringMatching(/^7Name /),
        expect.stringMatching(/^8/),
      ]),
    );
    await page.getByLabel('Update existing plants').check();
    await page.getByText('2 to create, 1 to update, 3 rejected.').waitFor();
    const download = page.waitForEvent('download');
    await press('Save the rejected rows as a file');
    expect(await Bun.file(`${await (await download).path()}`).text()).toBe(
      'id,name,tag\r\nx,Bad,\r\n6,,\r\n7,Unquoted, comma,a\r\n',
    );
    await press('Import 3 plants');
    await page.getByText('imported. 2 created, 1 updated, 3 rejected.').waitFor();
    expect(await call('GET', '/plants/9223372036854775807')).toContain('"name":"Say \\"hi\\"\\nthere","createdAt"');
    expect(await call('GET', '/plants/5')).toContain('"tag":""');
    expect(await call('GET', '/plants/1')).toContain('"Other"');
    await dropFile(page, '.drop', 'a.csv', 'id;tag\r\n1;a\r\n');
    await page.locator('.drop').getByRole('alert').waitFor();
  });

  test('hostile names are shown as text, with the characters that cannot be seen', async () => {
    for (const [index, name] of hostileNames.entries())
      await call('POST', '/plants', JSON.stringify({ id: 10 + index, name, tag: name.slice(0, 100) }));
    await using opened = await openConsole(browser, demo.url);
    const { page, press } = opened;
    await row(page, 'a\\u202egpj.exe \\u2066b').waitFor();
    await press('Edit plant 12');
    await cell(page, 'Name', 12).waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    await eventually(async () =>
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390),
    );
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect(await page.title()).toBe('Plants · Plant Store');
  });

  test('a printed page has the plants, dark on light, without what can be pressed', async () => {
    await using opened = await openConsole(browser, demo.url, { colorScheme: 'dark' });
    const { page } = opened;
    await row(page, 'Monstera').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await eventually(async () => {
      expect(await row(page, 'Monstera').isVisible()).toBe(true);
      expect(await page.locator('button:visible:not(table button), input:visible, nav:visible').count()).toBe(0);
      // Tags and headings are text then.
      const border = "getComputedStyle(document.querySelector('td button.tag')).borderTopWidth";
      expect(await page.evaluate<string>(border)).toBe('0px');
      expect(await page.evaluate<string>('getComputedStyle(document.body).color')).toBe('rgb(28, 32, 36)');
    });
  });

  test('a keyboard is enough to create, change and delete a plant', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page } = opened;
    await row(page, 'Monstera').waitFor();
    await tabTo(page, /^New plant$/);
    await page.keyboard.press('Enter');
    await page.locator('form.panel:focus').waitFor();
    await tabTo(page, /^Id/);
    await page.keyboard.type('77');
    await tabTo(page, /^Name/);
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    await row(page, 'Typed').waitFor();
    await page.getByText('Created plant 77.').waitFor();
    await page.keyboard.press('ArrowDown');
    const cellOf77 = '[data-row="77"] [data-stop="name"]';
    for (let count = 0; (await page.locator('[data-row="77"] :focus').count()) === 0; count += 1) {
      expect(count).toBeLessThan(10);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('e');
    await cell(page, 'Name', 77).fill('Changed');
    await page.keyboard.press('Enter');
    await page.getByText('Saved plant 77.').waitFor();
    await page.locator(`${cellOf77}:focus`).waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('Deleted plant 77.').waitFor();
    await page.locator('[data-row="77"] [data-stop="id"]:focus').waitFor();
    await page.keyboard.press('u');
    await page.getByText('Undid the deletion of plant 77.').waitFor();
    expect(await call('GET', '/plants/77')).toContain('"Changed"');
  });

  test.skipIf(Bun.which('nginx') === null)('the console works below a path', async () => {
    await using proxy = await startNginx([demo.port, demo.port, demo.port]);
    await using opened = await openConsole(browser, `http://127.0.0.1:${proxy.port}/garden`);
    const { page, press } = opened;
    await press('New plant');
    await fill(page, { Id: '8', Name: 'Below' });
    await press('Save');
    await row(page, 'Below').waitFor();
  });

  test.each(screens)(
    'the plants have no violation of axe on a %s screen %d pixels wide, and fit it',
    async (colorScheme, width) => {
      for (const [index, name] of hostileNames.entries())
        await call('POST', '/plants', JSON.stringify({ id: 10 + index, name, tag: 't' }));
      await using opened = await openConsole(browser, demo.url);
      const { page, press } = opened;
      await press('New plant');
      await press('Edit plant 1');
      await cell(page, 'Name', 1).fill('Mine');
      await call('PATCH', '/plants/1', '{"name":"Theirs"}');
      await press('Save plant 1');
      await page.getByText('Save the chosen values').waitFor();
      await press('Delete plant 2');
      await page.getByText('Deleted plant 2.').waitFor();
      await checkScreen(page, 'console-plants', colorScheme, width);
    },
  );

  test('of 100,000 plants the console shows pages, the last ones by their order, and those with a tag, which can be by name', async () => {
    using folder = temporaryFolder();
    const database = folder.file('plants.sqlite');
    const rows = Array.from(
      { length: 100_000 },
      (_, n) => `${n + 1},Plant ${n + 1},${n === 99_998 ? 'rare' : 'common'}\n`,
    );
    await Bun.write(folder.file('plants.csv'), `id,name,tag\n${rows.join('')}`);
    const run = (...args: string[]) => runProgram([...args, '--database', database]);
    expect((await run('import', folder.file('plants.csv'))).exitCode).toBe(0);
    const token = (await run('token', 'create', '--name', 'test')).stdout.trim();
    await using service = await startServer(database);
    await using opened = await openConsole(browser, service.url, { token });
    const { page, press } = opened;
    await page.getByText('Page 1 of 1,000+ plants').waitFor();
    await press('Next page');
    await row(page, 'Plant 100').waitFor();
    await page.getByLabel('Order').selectOption('-id');
    await row(page, 'Plant 100000').waitFor();
    const byName = page.getByRole('columnheader', { name: 'Name' });
    await byName.getByRole('button').click();
    const refusal = 'There is no order by name if more than 10,000 plants fit the filters,';
    await page.getByRole('alert').filter({ hasText: refusal }).waitFor();
    // The list is as it was, and so is its order.
    await eventually(async () => expect(page.url()).toEndWith('#plants?sort=-id'));
    await row(page, 'Plant 100000').waitFor();
    expect(await byName.getAttribute('aria-sort')).toBeNull();
    expect(await page.getByRole('columnheader', { name: 'Id' }).getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('alert').filter({ hasText: refusal }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('tag:rare');
    await page.keyboard.press('Enter');
    await row(page, 'Plant 99999').waitFor();
    await page.getByText('Page 1 of 1 plant').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await byName.getByRole('button').click();
    await eventually(async () => expect(await byName.getAttribute('aria-sort')).toBe('ascending'));
    await row(page, 'Plant 99999').waitFor();
    // Without the filter, the name is no order again.
    await page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'rare' }).click();
    await page.getByRole('alert').filter({ hasText: refusal }).waitFor();
    await page.getByText('Page 1 of 1,000+ plants').waitFor();
  });
});
