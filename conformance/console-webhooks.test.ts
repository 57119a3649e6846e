/** The webhooks of the console in a real browser: what is wrong is on top, and can be repaired there. */
import { expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { temporaryFolder } from '../tests/support/folder.ts';
import { runProgram, startServer } from '../tests/support/programs/process.ts';
import { eventually } from '../tests/support/until.ts';
import { checkScreen, faultsOn, hostileAnswer, openConsole, screens, tabTo } from './console-page.ts';
import { inChromium, useBrowser } from './in-chromium.ts';

inChromium('in Chromium, the webhooks', () => {
  const browser = useBrowser();

  /** A service that may send to this machine, and a receiver whose paths respond with their status. */
  const startService = async () => {
    const folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const createToken = async (...scope: readonly string[]): Promise<string> =>
      (await runProgram(['token', 'create', '--name', 't', ...scope, '--database', database])).stdout.trim();
    const token = await createToken();
    const server = await startServer(database, { env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
    const statuses = new Map<string, number>();
    const receiver = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        const status = statuses.get(new URL(url).pathname.slice(1)) ?? 204;
        return new Response(status === 204 ? null : hostileAnswer, { status });
      },
    });
    const call = async (method: string, path: string, body?: object): Promise<Response> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      expect(response.ok).toBe(true);
      return response;
    };
    return {
      url: server.url,
      token,
      createToken,
      call,
      urlOf: (name: string): string => `${receiver.url.href}${name}`,
      setStatus: (name: string, status: number): void => void statuses.set(name, status),
      addWebhook: async (name: string): Promise<void> =>
        void (await call('POST', '/webhooks', { url: `${receiver.url.href}${name}` })),
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        await receiver.stop(true);
        folder[Symbol.dispose]();
      },
    };
  };
  const card = (page: Page, name: string): Locator =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name: new RegExp(`/${name}$`) }) });
  const press = (from: Page | Locator, name: string): Promise<void> =>
    from.getByRole('button', { name, exact: true }).click();

  test('a user creates a webhook, whose secret is shown once, and tests it', async () => {
    await using service = await startService();
    await using opened = await openConsole(browser, service.url, { view: 'webhooks', token: service.token });
    const { page } = opened;
    await press(page, 'New webhook');
    await page.getByLabel('URL').fill('https://127.0.0.1:0/');
    await press(page, 'Create the webhook');
    await page.getByRole('alert').getByText(/^Url /).waitFor();
    expect(await faultsOn(page)).toEqual([['', expect.stringMatching(/^Url must /)]]);
    await page.getByLabel('URL').fill(service.urlOf('shop'));
    await page.getByLabel('plant.deleted').uncheck();
    await press(page, 'Create the webhook');
    const secret = page.getByRole('region', { name: 'Secret' });
    const text = `${await secret.getByText(/^whsec_/).textContent()}`;
    expect(text).toMatch(/^whsec_[\w+/=]{32,}$/);
    await press(secret, 'I have stored it');
    await eventually(async () => expect(await page.content()).not.toContain('whsec_'));
    await press(card(page, 'shop'), 'Send a test');
    await card(page, 'shop').getByText('The last deliveries').click();
    await card(page, 'shop').getByText('delivered', { exact: true }).waitFor();
    await card(page, 'shop')
      .getByText(
        'Gets plant.created, plant.updated, plant.picture.updated, plant.picture.deleted. 0 events behind the log.',
      )
      .waitFor();
    await press(card(page, 'shop'), 'Rotate the secret');
    await eventually(async () => expect(await secret.getByText(/^whsec_/).textContent()).not.toBe(text));
    await press(card(page, 'shop'), 'Delete');
    await press(card(page, 'shop'), 'Delete it with its deliveries');
    await page.getByText('There are no webhooks yet.').waitFor();
  });

  test('webhooks that are disabled or failing are on top, with attempts and hostile answers as text, and are repaired', async () => {
    await using service = await startService();
    for (const name of ['fine', 'broken', 'gone']) await service.addWebhook(name);
    service.setStatus('broken', 500);
    service.setStatus('gone', 410);
    await service.call('POST', '/plants', { id: 1, name: 'n' });
    await using opened = await openConsole(browser, service.url, { view: 'webhooks', token: service.token });
    const { page } = opened;
    await card(page, 'gone').getByText('the receiver responded with 410').waitFor();
    await card(page, 'broken').getByText('Failing since').waitFor();
    await page.getByText('2 of 3 need attention').waitFor();
    const failed = page.getByRole('region', { name: 'Failed deliveries' });
    await failed.getByText('Failed deliveries: 1').waitFor();
    await failed.getByText(service.urlOf('gone')).waitFor();
    await card(page, 'broken').getByText('next attempt at').waitFor();
    await eventually(async () => {
      const order = await page.getByRole('article').getByRole('heading').allTextContents();
      expect(order.map((url) => url.split('/').at(-1))).toEqual(['gone', 'broken', 'fine']);
      const attempt = await card(page, 'broken').locator('.attempts li').first().textContent();
      expect(attempt).toMatch(
        / 500 in \d+ ms The receiver failed: its own log says why \(500\)\. It says: <script>document\.title=1<\/script><img .*>\\u202e שלום$/,
      );
    });
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect(await page.title()).toBe('Webhooks · Plant Store');

    for (const name of ['gone', 'broken']) {
      service.setStatus(name, 204);
      await card(page, name)
        .getByRole('button', { name: /^Redeliver/ })
        .first()
        .click();
      await card(page, name).getByText('Enabled').waitFor();
      await card(page, name).locator('.deliveries').getByText('delivered', { exact: true }).first().waitFor();
    }
    await failed.waitFor({ state: 'detached' });
    await page.getByText('3 webhooks').waitFor();
  });

  test('a keyboard is enough to open each view, pause the log, and create and delete a webhook', async () => {
    await using service = await startService();
    await using opened = await openConsole(browser, service.url, { token: service.token });
    const { page } = opened;
    const pressOn = async (label: RegExp): Promise<void> => {
      await tabTo(page, label);
      await page.keyboard.press('Enter');
    };
    await page.getByText('There are no plants yet.').waitFor();
    await pressOn(/^Health$/);
    await page.getByText('Version').waitFor();
    await pressOn(/^Log$/);
    await page.getByText('Live', { exact: true }).waitFor();
    await pressOn(/^Pause$/);
    await page.getByText('Paused', { exact: true }).waitFor();
    await pressOn(/^Webhooks$/);
    await page.getByText('There are no webhooks yet.').waitFor();
    await pressOn(/^New webhook$/);
    await page.getByLabel('URL').waitFor();
    await tabTo(page, /^URL/);
    await page.keyboard.type(service.urlOf('typed'));
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Secret' }).waitFor();
    await pressOn(/^I have stored it$/);
    await card(page, 'typed').getByText('Enabled').waitFor();
    await pressOn(/^Delete$/);
    await card(page, 'typed').getByRole('button', { name: 'Delete it with its deliveries' }).waitFor();
    await pressOn(/^Delete it with its deliveries$/);
    await page.getByText('There are no webhooks yet.').waitFor();
  });

  test('a token that only reads sees the webhooks, and is offered no change', async () => {
    await using service = await startService();
    await service.addWebhook('shop');
    const token = await service.createToken('--scope', 'webhooks:read');
    await using opened = await openConsole(browser, service.url, { view: 'webhooks', token });
    await card(opened.page, 'shop').getByText('Enabled').waitFor();
    await eventually(async () => expect(await opened.page.locator('main').getByRole('button').count()).toBe(0));
    expect(await card(opened.page, 'shop').textContent()).not.toContain('events behind');
  });

  test.each(screens)(
    'the webhooks have no violation of axe on a %s screen %d pixels wide, and fit it',
    async (colorScheme, width) => {
      await using service = await startService();
      for (const name of ['fine', 'broken', `gone${'x'.repeat(300)}`]) await service.addWebhook(name);
      service.setStatus('broken', 500);
      service.setStatus(`gone${'x'.repeat(300)}`, 410);
      await service.call('POST', '/plants', { id: 1, name: 'n' });
      await using opened = await openConsole(browser, service.url, { view: 'webhooks', token: service.token });
      const { page } = opened;
      await page.getByText('2 of 3 need attention').waitFor();
      await press(card(page, 'fine'), 'Rotate the secret');
      await page.getByRole('region', { name: 'Secret' }).waitFor();
      await press(page, 'New webhook');
      await page.getByRole('button', { name: 'Create the webhook' }).waitFor();
      await card(page, 'fine').getByText('The last deliveries').click();
      await card(page, 'fine').getByText('delivered', { exact: true }).waitFor();
      await checkScreen(page, 'console-webhooks', colorScheme, width);
    },
  );
});
