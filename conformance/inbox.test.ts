/** The page at /inbox in a real browser: messages arrive, are verified or not, and a switch makes the service try again or give up. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startNginx } from '../tests/support/network/balancer.ts';
import { eventually } from '../tests/support/until.ts';
import { checkScreen, screens } from './console-page.ts';
import { inChromium, useBrowser, useDemo } from './in-chromium.ts';

/** A name that would become markup, leave its text, or reorder it. */
const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>\u202egpj.exe שלום \u2028';

inChromium('in Chromium,', () => {
  const browser = useBrowser();
  const demo = useDemo();
  let page: Page;
  let problems: string[];
  beforeEach(async () => {
    await demo.reset();
    problems = [];
    page = await open();
  });
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });

  /** Opens the page, and collects its requests to other hosts, and its errors. */
  const open = async (url = demo.url, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> => {
    const opened = await browser.newPage(options);
    opened.on('request', (request) => {
      const address = new URL(request.url());
      if (address.protocol !== 'data:' && address.origin !== new URL(url).origin) problems.push(request.url());
    });
    opened.on('console', (message) => problems.push(message.text()));
    opened.on('pageerror', (error) => problems.push(`${error}`));
    await opened.goto(`${url}/inbox`);
    await opened.getByText('Live', { exact: true }).waitFor();
    return opened;
  };

  const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();

  const addWebhook = async (): Promise<void> => {
    await press('Add a webhook');
    await page.getByText(/The webhook wh_\w+ sends every change/).waitFor();
  };

  /** The messages with these texts in their first line. */
  const messages = (...texts: readonly string[]): Locator =>
    texts.reduce((found, text) => found.filter({ hasText: text }), page.locator('summary'));

  const chooseAnswer = async (answer: string): Promise<void> => {
    const set = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('radio', { name: answer }).check();
    expect((await set).status()).toBe(204);
  };

  test('a user adds a webhook and creates a plant, and the verified message arrives with its signed text', async () => {
    await addWebhook();
    await press('Create a plant');
    await messages('plant.created', '✓ verified', 'answered 204').waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('Signed text').textContent()).toMatch(
        /^evt_\d+_.{16}\.\d{10}\.\{"type":"plant\.created",/,
      ),
    );
    expect(await page.locator('body').textContent()).not.toContain('whsec_');
    expect(await page.content()).not.toContain('whsec_');
  });

  test('the address of a name leads to the page with that name', async () => {
    await page.goto(`${demo.url}/inbox/garden-2`);
    await page.getByText('Live', { exact: true }).waitFor();
    await eventually(async () => expect(await page.locator('#url').textContent()).toBe(`${demo.url}/inbox/garden-2`));
  });

  test('a message whose body was changed is not verified', async () => {
    await addWebhook();
    await press('Send a test message');
    await messages('webhook.test', '✓ verified').waitFor();
    const header = async (name: string): Promise<string> =>
      `${await page
        .locator('dl > div', { has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .textContent()}`;
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const headers = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await header(name)])));
    const body = `${await page.getByLabel('Body').textContent()}`;
    const send = (text: string) => fetch(`${demo.url}/inbox/plants`, { method: 'POST', headers, body: text });
    await send(body.replace('webhook.test', 'webhook.text'));
    await messages('webhook.text', '✗ not verified').waitFor();
    await messages('webhook.text').click();
    await page.getByText('Not verified: No matching signature found.').waitFor();
    // The same bytes are verified again.
    await send(body);
    await messages('webhook.test', '✓ verified', 'attempt 3').waitFor();
  });

  test('after the answer 500 the message arrives again, with the same id', async () => {
    await addWebhook();
    await press('Send a test message');
    await messages('webhook.test').waitFor();
    await chooseAnswer('500');
    await press('Create a plant');
    await messages('plant.created', 'answered 500').first().waitFor();
    await page.getByText(/enabled; 1 waiting, the next attempt is at/).waitFor();
    await chooseAnswer('204');
    await messages('plant.created', '✓ verified', 'answered 204', 'attempt 2').waitFor();
    await eventually(async () => expect(await messages('plant.created').count()).toBe(2));
  });

  test('after the answer 410 the webhook is disabled, and a test enables it again', async () => {
    await addWebhook();
    await press('Send a test message');
    await messages('webhook.test').waitFor();
    await chooseAnswer('410');
    await press('Create a plant');
    await page.getByText(/disabled \(gone\)/).waitFor();
    await chooseAnswer('204');
    await press('Send a test message');
    await page.getByText(/^wh_\w+: enabled$/).waitFor();
  });

  test('a slow answer makes the attempt fail after 15 seconds, and the message arrives again', async () => {
    await addWebhook();
    await press('Send a test message');
    await messages('webhook.test').waitFor();
    await chooseAnswer('Slow');
    await press('Create a plant');
    await messages('plant.created', 'answered too slowly').waitFor();
    await chooseAnswer('204');
    await messages('plant.created', 'answered 204', 'attempt 2').waitFor();
    const { id } = JSON.parse(await demo.call('GET', '/webhooks')).at(-1);
    const deliveries = await demo.call('GET', `/webhooks/${id}/deliveries`);
    expect(deliveries).toContain('"failure":"timeout"');
  });

  test('a reload and a second tab show the same messages, and a change in one tab appears in the other', async () => {
    await addWebhook();
    await press('Create a plant');
    await messages('plant.created').waitFor();
    await page.reload();
    await messages('plant.created', '✓ verified').waitFor();
    const other = await open();
    await other.locator('summary').filter({ hasText: 'plant.created' }).waitFor();
    await chooseAnswer('500');
    await other.locator('input[value="500"]:checked').waitFor();
    await other.getByRole('button', { name: 'Clear plants' }).click();
    await page.locator('.box').waitFor({ state: 'detached' });
    await other.close();
  });

  test('a hostile name of a plant is shown as text, with the characters that cannot be seen', async () => {
    await addWebhook();
    const body = JSON.stringify({ id: 5, name: hostile, tag: hostile.slice(0, 60) });
    expect((await demo.send('POST', '/plants', body)).status).toBe(200);
    await messages('plant.created', '✓ verified').waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('Body').textContent()).toContain(
        '<script>document.title=1</script>\\u202egpj.exe שלום \\u2028',
      ),
    );
    expect(await page.locator('.box img, .box script').count()).toBe(0);
    expect(await page.title()).toBe('Webhook inbox · Plant Store');
  });

  test('a keyboard is enough to add a webhook, open a message and change the answer', async () => {
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Enter');
    await page.getByText(/The webhook wh_\w+ sends every change/).waitFor();
    for (const body of ['one', 'two']) await fetch(`${demo.url}/inbox/plants`, { method: 'POST', body });
    await messages('message').nth(1).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent || document.activeElement.value');
    const reach = async (text: RegExp): Promise<void> => {
      for (let count = 0; !text.test(await focused()); count += 1) {
        expect(count).toBeLessThan(20);
        await page.keyboard.press('Tab');
      }
    };
    await reach(/^204$/);
    await page.keyboard.press('ArrowDown');
    await page.locator('input[value="500"]:checked').waitFor();
    await reach(/not verified/);
    await page.keyboard.press('Enter');
    await page.getByText('Signed text').first().waitFor();
  });

  test.skipIf(Bun.which('nginx') === null)(
    'the page works below a path, behind a proxy that removes a prefix',
    async () => {
      await using proxy = await startNginx([demo.port, demo.port, demo.port]);
      const behind = await open(`http://127.0.0.1:${proxy.port}/garden`);
      await behind.getByRole('button', { name: 'Add a webhook' }).click();
      await behind.getByText(/The webhook wh_\w+ sends every change/).waitFor();
      await behind.getByRole('button', { name: 'Create a plant' }).click();
      await behind.locator('summary').filter({ hasText: '✓ verified' }).waitFor();
      await behind.getByRole('radio', { name: '500' }).check();
      await page.locator('input[value="500"]:checked').waitFor();
      await behind.close();
    },
  );

  test.each(screens)(
    'the page of the inbox has no violation of axe on a %s screen %d pixels wide, and fits it',
    async (colorScheme, width) => {
      await addWebhook();
      await press('Create a plant');
      await messages('plant.created', '✓ verified').waitFor();
      await fetch(`${demo.url}/inbox/plants`, { method: 'POST', body: hostile.repeat(9) });
      await messages('✗ not verified').click();
      await page.getByText('Not verified:').waitFor();
      await checkScreen(page, 'inbox', colorScheme, width);
    },
  );
});
