/** The charts of the console in a real browser, from the metrics of a running service. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../tests/support/folder.ts';
import { runProgram, startServer } from '../tests/support/programs/process.ts';
import { eventually } from '../tests/support/until.ts';
import { checkScreen, openConsole, screens } from './console-page.ts';
import { inChromium, useBrowser, useDemo } from './in-chromium.ts';

inChromium('in Chromium, the health', () => {
  const browser = useBrowser();
  const demo = useDemo();

  const sendRequests = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += 1) await demo.send('GET', '/plants');
  };
  const highest = async (page: Page, title: string): Promise<number> => {
    const label = await page.getByRole('img', { name: new RegExp(`^${title},`) }).getAttribute('aria-label');
    return Number(/Highest: ([\d.]+)\.$/.exec(`${label}`)?.[1] ?? 0);
  };

  test('the charts begin when the page is opened, also on another view, and show requests and their time', async () => {
    await using opened = await openConsole(browser, demo.url);
    const { page } = opened;
    await page.getByRole('row').filter({ hasText: 'Monstera' }).waitFor();
    await page.waitForResponse((response) => response.url().endsWith('/metrics'));
    await sendRequests(60);
    await page.waitForResponse((response) => response.url().endsWith('/metrics'));
    await page.getByRole('link', { name: 'Health' }).click();
    // 60 requests in an interval of at least 3 seconds. The page itself sends one in 3 seconds.
    await eventually(async () => {
      expect(await highest(page, 'Requests')).toBeGreaterThan(1);
      expect(await highest(page, 'Requests')).toBeLessThan(60);
      expect(await highest(page, 'Time of a request')).toBeGreaterThan(0);
      expect(await page.locator('.facts').textContent()).toMatch(/on bun [\d.]+, sqlite.*Memory\d+ MB/);
    });
  });

  test('a token without metrics:read sees which scope is needed, and the page asks for no metrics', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const create = ['token', 'create', '--name', 't', '--scope', 'plants:read', '--database', database];
    const token = (await runProgram(create)).stdout.trim();
    await using server = await startServer(database);
    await using opened = await openConsole(browser, server.url, { view: 'health', token });
    const asked: string[] = [];
    opened.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await opened.page.getByText('A token with the scope metrics:read is needed.').waitFor();
    expect(asked).not.toContain('/metrics');
  });

  test.each(screens)(
    'the health has no violation of axe on a %s screen %d pixels wide, and fits it',
    async (colorScheme, width) => {
      await using opened = await openConsole(browser, demo.url, { view: 'health' });
      const { page } = opened;
      for (const count of [20, 60, 30, 10]) {
        await sendRequests(count);
        await page.waitForResponse((response) => response.url().endsWith('/metrics'));
      }
      await checkScreen(page, 'console-health', colorScheme, width);
    },
  );
});
