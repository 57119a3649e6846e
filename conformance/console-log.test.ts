/** The live log of the console in a real browser: it moves, pauses and filters, and loses nothing when the server is killed. */
import { expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { temporaryFolder } from '../tests/support/folder.ts';
import { runProgram, startServer } from '../tests/support/programs/process.ts';
import { eventually } from '../tests/support/until.ts';
import { checkScreen, enterToken, hostileNames, openConsole, screens } from './console-page.ts';
import { inChromium, useBrowser } from './in-chromium.ts';

inChromium('in Chromium, the log', () => {
  const browser = useBrowser();

  const startService = async () => {
    const folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = (await runProgram(['token', 'create', '--name', 't', '--database', database])).stdout.trim();
    let server = await startServer(database);
    const { url, port } = server;
    return {
      url,
      token,
      create: async (id: bigint | number, name = `n${id}`): Promise<void> => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const body = `{"id":${id},"name":${JSON.stringify(name)},"tag":"t"}`;
        expect((await fetch(`${url}/plants`, { method: 'POST', headers, body })).status).toBe(200);
      },
      kill: async (): Promise<void> => {
        server.kill('SIGKILL');
        await server.exited;
      },
      /** Their events happen while no client can be connected. */
      importWhileDown: async (...ids: readonly number[]): Promise<void> => {
        const file = folder.file('later.ndjson');
        await Bun.write(file, ids.map((id) => `{"id":${id},"name":"n${id}"}\n`).join(''));
        expect((await runProgram(['import', file, '--database', database])).exitCode).toBe(0);
      },
      startAgain: async (): Promise<void> => {
        server = await startServer(database, { args: ['--port', `${port}`] });
      },
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  };
  const items = (page: Page): Locator => page.getByRole('list', { name: 'Events, the newest first' }).locator('li');
  const expectIds = (page: Page, ...ids: readonly string[]): Promise<void> =>
    eventually(async () => expect(await items(page).locator('code').allTextContents()).toEqual([...ids]));
  const live = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor();

  test('events appear as they happen, the newest first, with exact ids, and a short log is shown from its beginning', async () => {
    await using service = await startService();
    await service.create(1);
    await using opened = await openConsole(browser, service.url, { view: 'log', token: service.token });
    const { page } = opened;
    await live(page);
    for (const id of [2n ** 63n - 1n, -(2n ** 63n)]) await service.create(id);
    await expectIds(page, '-9223372036854775808', '9223372036854775807', '1');
    const animation = "getComputedStyle(document.querySelector('.moving > li')).animationName";
    for (const [reducedMotion, expected] of [
      ['no-preference', 'arrive'],
      ['reduce', 'none'],
    ] as const) {
      await page.emulateMedia({ reducedMotion });
      await eventually(async () => expect(await page.evaluate<string>(animation)).toBe(expected));
    }
  });

  test('the values of an event are apart', async () => {
    await using service = await startService();
    await service.create(1);
    await using opened = await openConsole(browser, service.url, { view: 'log', token: service.token });
    const [name, tag] = [1, 2].map((place) => items(opened.page).locator(`.what > :nth-child(${place})`));
    await tag?.waitFor();
    const [before, after] = [await name?.boundingBox(), await tag?.boundingBox()];
    expect(after?.x).toBeGreaterThan((before?.x ?? 0) + (before?.width ?? 0) + 4);
  });

  test('a change after the list was read, and before the stream begins, is shown', async () => {
    await using service = await startService();
    await service.create(1);
    await using opened = await openConsole(browser, service.url);
    const { page } = opened;
    const listed = page.waitForResponse((response) => response.url().includes('/plants?'));
    await page.route('**/events', async (route) => {
      if (route.request().method() === 'GET') {
        await (await listed).finished();
        await service.create(2);
      }
      await route.continue();
    });
    await enterToken(page, service.token);
    await page.getByText('1 plant added by others.').waitFor();
  });

  test('after kill -9 the list is marked, and continues without an event missed or repeated', async () => {
    await using service = await startService();
    await using opened = await openConsole(browser, service.url, { view: 'log', token: service.token });
    const { page } = opened;
    await live(page);
    for (const id of [1, 2]) await service.create(id);
    await items(page).nth(1).waitFor();
    await service.kill();
    await page.getByText('The connection was lost.').waitFor();
    await service.importWhileDown(3, 4);
    await service.startAgain();
    await page.getByText('The connection is back. No event was missed.').waitFor();
    await service.create(5);
    await eventually(async () => {
      expect((await items(page).locator('code').allTextContents()).toSorted()).toEqual(['1', '2', '3', '4', '5']);
      expect(await items(page).filter({ hasText: 'The connection' }).count()).toBe(2);
    });
  });

  test('events that the service has removed while the connection was lost are told as missing', async () => {
    await using service = await startService();
    await using opened = await openConsole(browser, service.url, { view: 'log', token: service.token });
    const { page } = opened;
    await live(page);
    await service.create(1);
    await expectIds(page, '1');
    await service.kill();
    await page.getByText('The connection was lost.').waitFor();
    // As if the retention had ended for the events after the last one.
    const body = '{"error":41000,"message":"The cursor is older than the retained events."}';
    await page.route('**/events', (route) =>
      route.request().headers()['last-event-id'] === undefined
        ? route.continue()
        : route.fulfill({ status: 410, contentType: 'application/json', body }),
    );
    await service.startAgain();
    await page.getByText('so some are missing here.').waitFor();
    await service.create(2);
    await expectIds(page, '2', '1');
  });

  test('a pause holds new events back, and a filter shows only those with its text or type', async () => {
    await using service = await startService();
    await using opened = await openConsole(browser, service.url, { view: 'log', token: service.token });
    const { page, press } = opened;
    await live(page);
    await service.create(1, 'Fern');
    await items(page).first().waitFor();
    await press('Pause');
    for (const id of [2, 3]) await service.create(id, 'Moss');
    await page.getByRole('button', { name: 'Continue (2 new)' }).waitFor();
    await expectIds(page, '1');
    await press('Continue (2 new)');
    await expectIds(page, '3', '2', '1');
    await page.getByRole('searchbox', { name: 'With' }).fill('fer');
    await expectIds(page, '1');
    await page.getByRole('searchbox', { name: 'With' }).fill('');
    await page.getByLabel('Type').selectOption('plant.deleted');
    await page.getByText('The next change of a plant appears here.').waitFor();
    await service.create(4);
    const headers = { authorization: `Bearer ${service.token}` };
    await fetch(`${service.url}/plants/2`, { method: 'DELETE', headers });
    await expectIds(page, '2');
  });

  test.each(screens)(
    'the log has no violation of axe on a %s screen %d pixels wide, and fits it',
    async (colorScheme, width) => {
      await using service = await startService();
      for (const [index, name] of hostileNames.entries()) await service.create(index, name);
      await using opened = await openConsole(browser, service.url, { view: 'log', token: service.token });
      const { page } = opened;
      await items(page).nth(3).waitFor();
      await service.kill();
      await page.getByText('The connection was lost.').waitFor();
      await checkScreen(page, 'console-log', colorScheme, width);
      expect(await page.title()).toBe('Log · Plant Store');
    },
  );
});
