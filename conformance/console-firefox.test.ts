/**
 * The console in Debian's Firefox: each view, each error, hostile data, two tabs, a lost server, and the keyboard alone. Playwright drives only
 * builds of its own, so these are the only tests with Puppeteer.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { demoToken } from '../src/tokens/sample.ts';
import { temporaryFolder } from '../tests/support/folder.ts';
import { readBytes } from '../tests/support/pictures/pictures.ts';
import { type RunningServer, runProgram, startDemo, startServer } from '../tests/support/programs/process.ts';
import { eventually } from '../tests/support/until.ts';
import { waitMs } from './browser.ts';
import { hostileAnswer, hostileNames } from './console-page.ts';
import { type Answer, startProxy } from './proxy.ts';

const executablePath = Bun.which('firefox-esr');

// Skipped without Debian's Firefox, which CI installs.
describe.skipIf(executablePath === null)('in Firefox, the console', () => {
  let demo: RunningServer;
  let browser: Browser;
  const problems: string[] = [];
  beforeAll(async () => {
    demo = await startDemo();
    browser = await launch({ browser: 'firefox', executablePath: `${executablePath}`, headless: true });
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await call('POST', '/__demo/reset');
  });
  afterEach(() => {
    expect(problems.splice(0)).toEqual([]);
  });

  const call = async (
    method: string,
    path: string,
    body?: string,
    { url, token } = { url: demo.url, token: demoToken },
  ) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
    expect(response.ok).toBe(true);
    return response.text();
  };

  /** Opens the console, and collects its requests to other hosts, and its errors. */
  const open = async (url: string, view = 'plants') => {
    const page = await browser.newPage();
    page.setDefaultTimeout(waitMs);
    await page.setViewport({ width: 1400, height: 900 });
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(`${error}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto(`${url}/console#${view}`);
    return { page, [Symbol.asyncDispose]: () => page.close() };
  };
  const shows = (page: Page, words: string, selector = 'body'): Promise<void> =>
    eventually(async () =>
      expect(await page.evaluate(`document.querySelector('${selector}')?.textContent`)).toContain(words),
    );
  /** Runs the expression once the page has the element that the other one finds. */
  const once = (page: Page, find: string, then: string): Promise<void> =>
    eventually(async () =>
      expect(await page.evaluate(`((one) => one && !one.disabled && (${then}, true))(${find})`)).toBe(true),
    );
  const press = (page: Page, name: string): Promise<void> =>
    once(
      page,
      `[...document.querySelectorAll('button, nav a')].find((one) => (one.ariaLabel ?? one.textContent) === '${name}' && one.checkVisibility())`,
      'one.click()',
    );
  const type = async (page: Page, label: string, words: string, form = 'form.panel'): Promise<void> => {
    const find = `[...document.querySelectorAll('${form} label')].find((one) => one.textContent.startsWith('${label}'))?.control`;
    await once(page, find, 'one.focus(), one.select()');
    await page.keyboard.type(words);
  };
  const hasFocus = (page: Page, selector: string): Promise<void> =>
    once(page, `document.querySelector('${selector}:focus')`, '0');

  /** The panel takes the focus, so what is typed before that would be lost. */
  const openPanel = async (page: Page, name: string): Promise<void> => {
    await press(page, name);
    await hasFocus(page, 'form.panel');
  };

  test('each view shows the demo, a plant with the last id is created, and the log has it', async () => {
    await using opened = await open(demo.url);
    const { page } = opened;
    await shows(page, 'Monstera');
    await openPanel(page, 'New plant');
    await type(page, 'Id', '9223372036854775807');
    await type(page, 'Name', 'Fox');
    await press(page, 'Save');
    await shows(page, 'Page 1 of 6 plants');
    expect(await call('GET', '/plants/9223372036854775807')).toStartWith('{"id":9223372036854775807,"name":"Fox",');
    await press(page, 'Log');
    await shows(page, 'Live', '#view-log');
    await shows(page, '9223372036854775807', '#view-log');
    await press(page, 'Webhooks');
    await shows(page, 'https://receiver.example.com/plants', '#view-webhooks');
    await press(page, 'Health');
    await shows(page, 'Memory', '#view-health');
  });

  const picture = '.picture';
  const pictureOf = async (id: number) => JSON.parse(await call('GET', `/plants/${id}`)).picture;
  /** Gives the panel a file, which the expression makes, as a drop and a paste do, once it takes one. */
  const give = async (page: Page, how: 'drop' | 'paste', file: string): Promise<void> => {
    await once(page, "document.querySelector('.picture input[type=file]')", '0');
    const data = how === 'drop' ? 'dataTransfer' : 'clipboardData';
    await page.evaluate(`(async () => {
      const ${data} = new DataTransfer();
      ${data}.items.add(await (${file}));
      const event = new Event('${how}', { bubbles: true, cancelable: true });
      document.querySelector('.picture h4').dispatchEvent(Object.assign(event, { ${data} }));
    })()`);
  };
  /** A PNG of more than 1 MiB: random points, which no format makes small. */
  const largePng = `(async () => {
    const context = new OffscreenCanvas(1500, 1200).getContext('2d');
    const noise = context.createImageData(1500, 1200);
    for (let at = 0; at < noise.data.length; at += 65536) crypto.getRandomValues(noise.data.subarray(at, at + 65536));
    for (let at = 3; at < noise.data.length; at += 4) noise.data[at] = 255;
    context.putImageData(noise, 0, 0);
    return new File([await context.canvas.convertToBlob()], 'a.png', { type: 'image/png' });
  })()`;

  test('a picture is chosen, dropped and pasted, and what is too large is drawn again, or told', async () => {
    await using opened = await open(demo.url, 'plants?open=2');
    const { page } = opened;
    using folder = temporaryFolder();
    await Bun.write(folder.file('leaf.png'), readBytes('leaf.png'));
    await once(page, "document.querySelector('.picture input[type=file]')", '0');
    const input = await page.waitForSelector('.picture input[type=file]');
    await (input as unknown as { uploadFile(path: string): Promise<void> })?.uploadFile(folder.file('leaf.png'));
    await shows(page, 'PNG, 24 × 16 pixels, 89 bytes', picture);
    const { digest } = await pictureOf(2);
    expect(digest).toBe(hash('sha256', readBytes('leaf.png'), 'hex'));
    await give(page, 'drop', largePng);
    await shows(page, 'WEBP, ', picture);
    const drawn = await pictureOf(2);
    expect(drawn.type).toBe('image/webp');
    expect(drawn.bytes).toBeWithin(1, 1024 ** 2 + 1);
    for (const [name, text, reason] of [
      ['IMG_1.HEIC', 'ftypheic', 'This browser cannot read HEIC.'],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'An SVG can contain scripts'],
      ['a.png', '<html>', 'The browser cannot read this file as a picture.'],
    ] as const) {
      await give(
        page,
        'paste',
        `new File(['${text}'], '${name}', { type: ${name === 'a.svg'} ? 'image/svg+xml' : '' })`,
      );
      await shows(page, reason, `${picture} [role=alert]`);
    }
    expect(await pictureOf(2)).toEqual(drawn);
    // Each row with a picture shows it.
    for (const id of [1, 2])
      await once(page, `document.querySelector('[data-row="${id}"] .thumbnail canvas')`, 'one.scrollIntoView()');
  });

  const error = (status: number, number: number): Answer => ({
    status,
    headers: { 'retry-after': '7', 'content-type': 'application/json' },
    body: JSON.stringify({ error: number, message: 'Nothing was done.' }),
  });
  const lost = 'Connection lost. Trying again …';

  test.each([
    ['401', error(401, 40100), 'The token is not valid', 'The token is not valid'],
    ['403', error(403, 40300), 'Nothing was done. Enter a token that has it', 'Nothing was done. Enter a token'],
    ['503', error(503, 50300), 'Nothing was done. Try again in 7 seconds.', lost],
    ['503 of a change that may be done', error(503, 50301), 'Read again before you repeat it.', lost],
    ['502 of a proxy', { status: 502, headers: {}, body: '<h1>' }, 'The server responded with the status 502.', lost],
    ['lost server', 'none', 'The server cannot be reached. What you typed is still here.', lost],
  ] as const)(
    'a %s is told in each view, and the plant that was typed is saved after it',
    async (_, answer, words, inLog) => {
      let isWrong = false;
      const answerTo = (path: string) =>
        isWrong && /^\/(?:plants|events|webhooks|metrics)/.test(path) ? answer : undefined;
      using proxy = await startProxy({ port: demo.port, answerTo });
      await using opened = await open(proxy.url);
      const { page } = opened;
      await openPanel(page, 'New plant');
      await type(page, 'Id', '9007199254740993');
      await type(page, 'Name', 'Typed');
      isWrong = true;
      proxy.closeConnections();
      await press(page, 'Save');
      await shows(page, words, 'form.panel');
      await press(page, 'Reload');
      await shows(page, words, '#view-plants > .notice');
      // The health reads the metrics all the time.
      await shows(page, words, '#view-health');
      await press(page, 'Log');
      await shows(page, inLog, '#view-log');
      await press(page, 'Webhooks');
      await shows(page, words, '#view-webhooks');
      isWrong = false;
      await press(page, 'Plants');
      await press(page, 'Save');
      await shows(page, '9007199254740993', 'table');
      expect(await call('GET', '/plants/9007199254740993')).toContain('"name":"Typed"');
    },
  );

  test('a change of another tab is shown beside the own one, and nothing is overwritten until the user says so', async () => {
    await using first = await open(demo.url);
    await using second = await open(demo.url);
    for (const [{ page }, name] of [
      [first, 'Mine'],
      [second, 'Theirs'],
    ] as const) {
      await page.bringToFront();
      await press(page, 'Edit plant 1');
      await hasFocus(page, 'tr.editing [name=name]');
      await page.keyboard.type(name);
    }
    await press(second.page, 'Save plant 1');
    await shows(second.page, 'Saved plant 1.', '.announcer');
    await press(first.page, 'Save plant 1');
    await shows(first.page, 'NameMineTheirs', '.conflict');
    expect(await call('GET', '/plants/1')).toContain('"Theirs"');
    await press(first.page, 'Save the chosen values');
    await shows(first.page, 'Saved plant 1.', '.announcer');
    expect(await call('GET', '/plants/1')).toContain('"Mine"');
  });

  test('after kill -9 the log continues without an event missed, and hostile names and answers are text', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = (await runProgram(['token', 'create', '--name', 't', '--database', database])).stdout.trim();
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
    const server = await startServer(database, { env });
    using receiver = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response(hostileAnswer, { status: 410 }),
    });
    const create = (id: number, name: string) =>
      call('POST', '/plants', JSON.stringify({ id, name }), { url: server.url, token });
    await call('POST', '/webhooks', JSON.stringify({ url: receiver.url }), { url: server.url, token });
    await using opened = await open(server.url, 'log');
    const { page } = opened;
    await type(page, 'Token', token, '.token form');
    await press(page, 'Use the token');
    await shows(page, 'Live', '#view-log');
    for (const [id, name] of hostileNames.entries()) await create(id, name);
    await shows(page, 'a\\u202egpj.exe \\u2066b', '.moving');
    server.kill('SIGKILL');
    await server.exited;
    await shows(page, 'The connection was lost.', '.moving');
    // Its event happens while no client can be connected.
    await Bun.write(folder.file('later.ndjson'), '{"id":7,"name":"after"}');
    expect((await runProgram(['import', folder.file('later.ndjson'), '--database', database])).exitCode).toBe(0);
    await using _again = await startServer(database, { args: ['--port', `${server.port}`], env });
    await shows(page, 'The connection is back. No event was missed.', '.moving');
    await shows(page, 'after', '.moving');
    const ids = `[...document.querySelectorAll('.moving code')].map((one) => one.textContent).join(' ')`;
    await eventually(async () => expect(await page.evaluate(ids)).toBe('7 3 2 1 0'));
    await press(page, 'Plants');
    await shows(page, hostileNames[0] ?? '', '#view-plants');
    await press(page, 'Webhooks');
    await shows(page, '<script>document.title=1</script><img src=x', '#view-webhooks');
    expect(await page.evaluate("document.querySelectorAll('main script, main img').length")).toBe(0);
    expect(await page.title()).toBe('Webhooks · Plant Store');
  });

  test('a keyboard is enough to create, change and delete a plant', async () => {
    await using opened = await open(demo.url);
    const { page } = opened;
    const label = () =>
      page.evaluate(
        '(({ activeElement: one }) => one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent)(document)',
      );
    const reach = async (text: RegExp): Promise<void> => {
      for (let count = 0; !text.test(`${await label()}`); count += 1) {
        expect(count).toBeLessThan(60);
        await page.keyboard.press('Tab');
      }
    };
    const typeInto = async (field: RegExp, words: string): Promise<void> => {
      await reach(field);
      await page.keyboard.type(words);
    };
    await shows(page, 'Monstera', 'table');
    await reach(/^New plant$/);
    await page.keyboard.press('Enter');
    await hasFocus(page, 'form.panel');
    await typeInto(/^Id/, '77');
    await typeInto(/^Name/, 'Typed');
    await page.keyboard.press('Enter');
    await shows(page, 'Typed', 'table');
    await shows(page, 'Created plant 77.', '.announcer');
    await page.keyboard.press('ArrowDown');
    while (!(await page.evaluate(`document.activeElement.closest('[data-row="77"]') !== null`)))
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('e');
    await hasFocus(page, 'tr.editing [name=name]');
    await page.keyboard.type('Changed');
    await page.keyboard.press('Enter');
    await shows(page, 'Saved plant 77.', '.announcer');
    await hasFocus(page, '[data-row="77"] td');
    await page.keyboard.press('Delete');
    await shows(page, 'Deleted plant 77.', '.announcer');
    await page.keyboard.press('u');
    await shows(page, 'Undid the deletion of plant 77.', '.announcer');
    expect(await call('GET', '/plants/77')).toContain('"Changed"');
  });

  test('a walk through the work: tags, a sheet, many deletions that are undone, and a failing webhook', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = (await runProgram(['token', 'create', '--name', 't', '--database', database])).stdout.trim();
    await using server = await startServer(database, { env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
    const get = (path: string) => call('GET', path, undefined, { url: server.url, token });
    await using opened = await open(server.url);
    const { page } = opened;
    await type(page, 'Token', `Bearer ${token}`, '.token form');
    await press(page, 'Use the token');
    await shows(page, 'There are no plants yet.', '#view-plants');
    await press(page, 'Import a file');
    const rows = Array.from({ length: 5000 }, (_, n) => `${n + 1};"Pflanze; ${n + 1}";`);
    rows[9] = 'zehn;Zehn;';
    await Bun.write(folder.file('sheet.csv'), `\ufeffID;Name;Tag\r\n${rows.join('\r\n')}\r\n`);
    const input = await page.waitForSelector('.drop input[type=file]');
    await (input as unknown as { uploadFile(path: string): Promise<void> })?.uploadFile(folder.file('sheet.csv'));
    await shows(page, '4999 to create, 1 rejected.', '.drop');
    await press(page, 'Import 4999 plants');
    await shows(page, 'imported. 4999 created, 1 rejected.', '.drop');
    await press(page, 'Close');
    for (let id = 1; id < 5; id += 1) {
      await press(page, `Edit plant ${id}`);
      await hasFocus(page, 'tr.editing [name=name]');
      await page.keyboard.press('Tab');
      await page.keyboard.type(`tag${id}`);
      await page.keyboard.press('Enter');
      await shows(page, `Saved plant ${id}.`, '.announcer');
    }
    await once(page, `document.querySelector('[aria-label="Select this page"]')`, 'one.click()');
    await press(page, 'Delete');
    await press(page, 'Delete them');
    await shows(page, 'Deleted 50 plants.', '.announcer');
    await press(page, 'Undo the deletion of 50 plants');
    await shows(page, 'Undid the deletion of 50 plants.', '.announcer');
    expect(await get('/plants/4')).toContain('"tag":"tag4"');
    await press(page, 'Webhooks');
    await press(page, 'New webhook');
    await hasFocus(page, 'form.panel');
    await type(page, 'URL', 'http://127.0.0.1:9/', '#view-webhooks form.panel');
    await press(page, 'Create the webhook');
    await press(page, 'I have stored it');
    await press(page, 'Send a test');
    await shows(page, 'Nobody answers at 127.0.0.1:9.', '#view-webhooks .card .notice');
  });
});
