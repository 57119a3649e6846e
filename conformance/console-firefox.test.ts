/** Each view of the console in Debian's Firefox. Playwright drives only builds of its own, so this is the one test with Puppeteer. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { demoToken } from '../src/sample-data.ts';
import { type RunningServer, startDemo } from '../tests/support/programs/process.ts';
import { eventually } from '../tests/support/until.ts';
import { timeoutMs } from './browser.ts';

setDefaultTimeout(timeoutMs);

const executablePath = Bun.which('firefox-esr');

// Skipped without Debian's Firefox, which CI installs.
describe.skipIf(executablePath === null)('in Firefox, the console', () => {
  let demo: RunningServer;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  beforeAll(async () => {
    demo = await startDemo();
    browser = await launch({ browser: 'firefox', executablePath: `${executablePath}`, headless: true });
    page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 900 });
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(`${error}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(demo.url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto(`${demo.url}/console`);
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.[Symbol.asyncDispose]();
  });

  const shows = (words: string): Promise<void> =>
    eventually(async () => expect(await page.evaluate('document.body.innerText')).toContain(words));
  /** Clicks the button or link with this text, once the page shows it. */
  const press = (words: string): Promise<void> =>
    eventually(async () => {
      const find = `[...document.querySelectorAll('button, nav a')].find((one) => one.textContent === '${words}' && one.checkVisibility())`;
      expect(await page.evaluate(`(() => { const found = ${find}; found?.click(); return Boolean(found); })()`)).toBe(
        true,
      );
    });
  const type = async (label: string, words: string): Promise<void> => {
    const find = `[...document.querySelectorAll('form.panel label')].find((one) => one.textContent.startsWith('${label}'))`;
    await page.evaluate(`${find}.control.focus()`);
    await page.keyboard.type(words);
  };

  test('each view shows the demo, a plant with the last id is created, and the log has it', async () => {
    await shows('Monstera');
    await press('New plant');
    // The panel takes the focus.
    await page.waitForSelector('form.panel:focus');
    await type('Id', '9223372036854775807');
    await type('Name', 'Fox');
    await press('Save');
    await shows('Page 1 of 4 plants');
    const headers = { authorization: `Bearer ${demoToken}` };
    const stored = await fetch(`${demo.url}/plants/9223372036854775807`, { headers });
    expect(await stored.text()).toStartWith('{"id":9223372036854775807,"name":"Fox",');
    await press('Log');
    await shows('Live');
    await shows('9223372036854775807');
    await press('Webhooks');
    await shows('https://receiver.example.com/plants');
    await press('Health');
    await shows('Memory');
    expect(problems).toEqual([]);
  });
});
