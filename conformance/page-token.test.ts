/**
 * What the page at /swagger says about the token, in a real browser: a demo has it filled in, and other services name its place.
 * A demo on a loopback address also answers other pages from this machine. The page also works below a path.
 */
import { expect, test } from 'bun:test';
import { demoToken } from '../src/tokens/sample.ts';
import { temporaryFolder } from '../tests/support/folder.ts';
import { startNginx } from '../tests/support/network/balancer.ts';
import { inDevelopment, startDemo, startServer } from '../tests/support/programs/process.ts';
import { eventually } from '../tests/support/until.ts';
import { inChromium, useBrowser } from './in-chromium.ts';

inChromium('in Chromium', () => {
  const browser = useBrowser();

  /** Opens the page, sends `Get the current token` without a change, and waits for this status. */
  const sendFirst = async (url: string, status: string) => {
    const page = await browser.newPage();
    await page.goto(`${url}/swagger`);
    await page.getByText('Get the current token', { exact: true }).first().click();
    await page
      .getByRole('button', { name: /Test Request.*get \/token\)/is })
      .first()
      .click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: /^Send/ }).first().click();
    await form.getByText(status).first().waitFor();
    /** Expects the text in the form or the response. */
    const expectShown = (text: string): Promise<void> =>
      eventually(async () => expect(await form.textContent()).toContain(text));
    return { page, expectShown };
  };

  test('the first request that a user sends from the page of a demo succeeds', async () => {
    await using demo = await startDemo();
    const { page, expectShown } = await sendFirst(demo.url, '200 OK');
    await expectShown('A public token of the demo, with all scopes.');
    await expectShown('"name": "demo"');
    await page.close();
  });

  test('Swagger UI of a demo has the token filled in', async () => {
    await using demo = await startDemo();
    const page = await browser.newPage();
    await page.goto(`${demo.url}/swagger?ui=swagger`);
    await page.getByText('Get the current token', { exact: true }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('"name": "demo"').first().waitFor();
    await page.close();
  });

  test.skipIf(Bun.which('nginx') === null)(
    'the first request also succeeds below a path, behind a proxy that removes a prefix',
    async () => {
      await using demo = await startDemo({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
      await using proxy = await startNginx([demo.port, demo.port, demo.port]);
      const { page, expectShown } = await sendFirst(`http://127.0.0.1:${proxy.port}/garden`, '200 OK');
      await expectShown('"name": "demo"');
      await page.close();
    },
  );

  test('another page from this machine can load the document of a demo, and send a request with all headers of the API', async () => {
    await using demo = await startDemo();
    using editor = Bun.serve({ port: 0, fetch: () => new Response('editor') });
    const page = await browser.newPage();
    await page.goto(editor.url.href);
    const call = (path: string, init: { method?: string; headers?: Record<string, string>; body?: string }) =>
      page.evaluate(
        async ([url, options]) => {
          const response = await fetch(url, options);
          return { status: response.status, etag: response.headers.get('etag'), body: await response.text() };
        },
        [demo.url + path, init] as const,
      );
    expect((await call('/openapi.json', {})).status).toBe(200);
    const headers = { authorization: `Bearer ${demoToken}`, 'if-match': '*', 'content-type': 'application/json' };
    const updated = await call('/plants/1', { method: 'PATCH', headers, body: '{"name":"n"}' });
    expect(updated).toMatchObject({ status: 200, etag: expect.stringMatching(/^".{16}"$/) });
    await page.close();
  });

  test('in development the page names the file that has the token', async () => {
    using folder = temporaryFolder();
    // A quote in the path would end the settings of the page.
    await using server = await startServer(folder.file("it's & mine/p.sqlite"), inDevelopment);
    const { page, expectShown } = await sendFirst(server.url, '401 Unauthorized');
    const file = folder.file("it's & mine/development.token");
    await expectShown(`The token in the file ${file}.`);
    expect(await Bun.file(file).exists()).toBe(true);
    await page.close();
  });

  test('a normal service names the command that prints a token, and no file', async () => {
    using folder = temporaryFolder();
    await using server = await startServer(folder.file('p.sqlite'));
    const { page, expectShown } = await sendFirst(server.url, '401 Unauthorized');
    await expectShown('A token that plant-store token create has printed.');
    expect(await page.content()).not.toContain(folder.path);
    await page.close();
  });
});
