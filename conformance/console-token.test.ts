/** The token of the console, what its scopes permit, and each failure in words: nothing that was typed is lost. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../tests/support/folder.ts';
import { runProgram, startServer } from '../tests/support/programs/process.ts';
import { eventually } from '../tests/support/until.ts';
import { checkScreen, enterToken, openConsole, screens } from './console-page.ts';
import { inChromium, useBrowser } from './in-chromium.ts';

inChromium('in Chromium, the console', () => {
  const browser = useBrowser();

  const createToken = async (database: string, ...scopes: readonly string[]): Promise<string> => {
    const scope = scopes.length === 0 ? [] : ['--scope', scopes.join(',')];
    return (await runProgram(['token', 'create', '--name', 't', ...scope, '--database', database])).stdout.trim();
  };
  const typePlant = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'New plant' }).click();
    await page.locator('form.panel').getByLabel('Id', { exact: true }).fill('9007199254740993');
    await page.locator('form.panel').getByLabel('Name', { exact: true }).fill('Typed');
  };
  const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
  const expectTyped = async (page: Page): Promise<void> => {
    const typed = (label: string): Promise<string> =>
      page.locator('form.panel').getByLabel(label, { exact: true }).inputValue();
    await eventually(async () =>
      expect([await typed('Id'), await typed('Name')]).toEqual(['9007199254740993', 'Typed']),
    );
  };

  test('an address without a view, such as a name of Object.prototype, shows the plants', async () => {
    using folder = temporaryFolder();
    const database = folder.file('plants.sqlite');
    const token = await createToken(database);
    await using server = await startServer(database);
    for (const name of ['constructor', '__proto__', 'toString', 'nothing']) {
      await using opened = await openConsole(browser, server.url, { view: name, token });
      const { page } = opened;
      await page.getByRole('button', { name: 'New plant' }).waitFor();
      await page.getByRole('link', { name: 'Log' }).click();
      await page.getByText('The next change of a plant appears here.').waitFor();
      await page.evaluate(`location.hash = '${name}'`);
      await page.getByRole('button', { name: 'New plant' }).waitFor();
    }
  });

  test('a normal service asks for a token, says when it is wrong, and offers only what its scopes permit', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const reader = await createToken(database, 'plants:read');
    const writer = await createToken(database, 'plants:write');
    await using server = await startServer(database);
    await using opened = await openConsole(browser, server.url);
    const { page } = opened;
    await page.getByText('A token that plant-store token create has printed.').waitFor();
    const expectButtons = (...names: readonly string[]): Promise<void> =>
      eventually(async () =>
        expect(await page.locator('main').getByRole('button').allTextContents()).toEqual([...names]),
      );
    await expectButtons();
    for (const wrong of ['plant_wrong', 'ü']) {
      await enterToken(page, wrong);
      await page.getByText('The token is not valid').waitFor();
    }
    await enterToken(page, reader);
    await page.getByText('There are no plants yet.').waitFor();
    await expectButtons('Reload', 'Export', 'Id ▲', 'Name', 'Created', 'First page', 'Previous page', 'Next page');
    await enterToken(page, writer);
    await page.getByText('A token with the scope plants:read is needed.').waitFor();
    await expectButtons('Import a file', 'New plant');
  });

  test('the token is lost with the page, unless the user keeps it, and then stays in this tab', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await createToken(database);
    await using server = await startServer(database);
    await using opened = await openConsole(browser, server.url, { token });
    const { page } = opened;
    await page.getByText('There are no plants yet.').waitFor();
    const stored = () =>
      page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])');
    expect(await stored()).not.toContain('plant_');
    await page.reload();
    await page.getByLabel('Keep it').selectOption('tab');
    await enterToken(page, token);
    await page.getByText('There are no plants yet.').waitFor();
    await page.reload();
    await page.getByText('There are no plants yet.').waitFor();
    expect(JSON.parse(await stored())[1]).toEqual({});
    expect(page.url()).not.toContain('plant_');
  });

  test('a token that is revoked while a plant is typed is told, and another token saves the plant', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await createToken(database);
    await using server = await startServer(database);
    await using opened = await openConsole(browser, server.url, { token });
    const { page } = opened;
    await typePlant(page);
    const list = (await runProgram(['token', 'list', '--database', database])).stdout;
    await runProgram(['token', 'revoke', /tok_\w+/.exec(list)?.[0] ?? '', '--database', database]);
    await save(page);
    await page.getByRole('alert').getByText('The token is not valid').waitFor();
    await expectTyped(page);
    await enterToken(page, await createToken(database));
    await page.getByText('There are no plants yet.').waitFor();
    await expectTyped(page);
    await save(page);
    await page.getByRole('link', { name: 'Open plant 9007199254740993', exact: true }).waitFor();
  });

  test('a server that is killed is told, and the typed plant is saved once it is back', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await createToken(database);
    const server = await startServer(database);
    await using opened = await openConsole(browser, server.url, { token });
    const { page } = opened;
    await typePlant(page);
    server.kill('SIGKILL');
    await server.exited;
    await save(page);
    // The list of plants may say it too.
    const form = page.getByRole('form', { name: 'New plant' });
    await form.getByText('The server cannot be reached. What you typed is still here.').waitFor();
    await expectTyped(page);
    await using _again = await startServer(database, { args: ['--port', `${server.port}`] });
    await save(page);
    await page.getByRole('link', { name: 'Open plant 9007199254740993', exact: true }).waitFor();
  });

  test('a rate limit is told, with the time to wait', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await createToken(database);
    await using server = await startServer(database, { env: { RATE_LIMIT: '4/1h' } });
    await using opened = await openConsole(browser, server.url, { token });
    const { page } = opened;
    await typePlant(page);
    for (let count = 0; count < 5; count += 1) await page.getByRole('button', { name: 'Reload' }).click();
    await save(page);
    await page
      .locator('form')
      .getByText(/^This token has made too many requests\. Try again in \d+ seconds\.$/)
      .waitFor();
    await expectTyped(page);
  });

  test.each([
    [503, 50300, 'Nothing was changed here. Try again in 7 seconds.'],
    [503, 50301, 'Nothing was changed here. Read again before you repeat it.'],
    [403, 40300, 'Nothing was changed here. Enter a token that has it; what you typed is still here.'],
    [405, 40500, 'The service does not permit this. It may serve only reads.'],
    [502, 0, 'The server responded with the status 502.'],
  ])('a %i with the number %i is told as: %s', async (status, error, words) => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await createToken(database);
    await using server = await startServer(database);
    await using opened = await openConsole(browser, server.url, { token });
    const { page } = opened;
    await typePlant(page);
    const body = error === 0 ? '<h1>Bad gateway</h1>' : JSON.stringify({ error, message: 'Nothing was changed here.' });
    const contentType = error === 0 ? 'text/html' : 'application/json';
    await page.route('**/plants', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status, contentType, body, headers: { 'retry-after': '7' } })
        : route.continue(),
    );
    await save(page);
    await page.locator('form.panel').getByText(words, { exact: true }).waitFor();
    await expectTyped(page);
  });

  test.each(screens)(
    'the field for the token and the start page have no violation of axe on a %s screen %d pixels wide',
    async (colorScheme, width) => {
      using folder = temporaryFolder();
      await using server = await startServer(folder.file('p.sqlite'));
      await using opened = await openConsole(browser, server.url, { token: 'plant_wrong' });
      await opened.page.getByText('The token is not valid').waitFor();
      await checkScreen(opened.page, 'console-token', colorScheme, width);
      await opened.page.goto(`${server.url}/`);
      await opened.page.getByRole('link', { name: 'Console' }).waitFor();
      await checkScreen(opened.page, 'console-start', colorScheme, width);
      await opened.page.getByRole('link', { name: 'Lessons' }).click();
      await opened.page.getByRole('heading', { name: 'Learn OpenAPI 3.1' }).waitFor();
    },
  );
});
