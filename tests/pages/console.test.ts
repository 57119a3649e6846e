/** How the console is served. `conformance/console*.test.ts` opens it in a browser. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { readConfig } from '../../src/config/config.ts';
import { createTestApp, type TestApp } from '../support/app/app.ts';
import { temporaryFolder } from '../support/folder.ts';
import { printingModules, stopForModules } from '../support/programs/loaded-modules.ts';
import { startServer } from '../support/programs/process.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const get = (path: string, headers: Record<string, string> = {}, from = app): Promise<Response> =>
  from.send('GET', path, { authorization: null, headers });

test('the console loads its script and its style from here, and its policy forbids everything else', async () => {
  const response = await get('/console');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy')?.split('; ');
  expect(policy?.slice(0, 3)).toEqual(["default-src 'none'", "script-src 'self'", "style-src 'self'"]);
  expect(policy).toContain("connect-src 'self'");
  const html = await response.text();
  expect(html).not.toMatch(/https?:|\bon\w+=|<style/);
  const files = [...html.matchAll(/ (?:src|href)="([^":]+)"/g)].map(([, path]) => `/${path}`);
  expect(files).toEqual(['/console-assets/console.css', '/console-assets/console.js']);
  for (const file of files) expect((await get(file)).status).toBe(200);
});

test('the console has at most 60 KB, compressed, and the same bytes uncompressed', async () => {
  let total = 0;
  for (const file of ['/console', '/console-assets/console.js', '/console-assets/console.css']) {
    const packed = await get(file, { 'accept-encoding': 'gzip' });
    const bytes = new Uint8Array(await packed.arrayBuffer());
    total += bytes.length;
    if (packed.headers.get('content-encoding') === null) continue;
    expect(Buffer.from(Bun.gunzipSync(bytes)).equals(Buffer.from(await (await get(file)).bytes()))).toBe(true);
  }
  expect(total).toBeGreaterThan(5000);
  expect(total).toBeLessThan(60_000);
});

test('a browser that has the script of the console does not load it again', async () => {
  const { headers } = await get('/console-assets/console.js');
  const again = await get('/console-assets/console.js', { 'if-none-match': `${headers.get('etag')}` });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await get('/console-assets/console.js', { 'if-none-match': '"other"' })).status).toBe(200);
});

describe('the token of the console', () => {
  const dataOf = async (from: TestApp): Promise<Record<string, string>> => {
    const html = await (await get('/console', {}, from)).text();
    return Object.fromEntries([...html.matchAll(/ data-(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  };

  test('a normal service fills in none, and names the command that prints one', async () => {
    expect(await dataOf(app)).toEqual({
      token: '',
      hint: 'A token that plant-store token create has printed.',
      inbox: '',
    });
  });

  test('a demo fills in its own, as text in an attribute', async () => {
    const other = await createTestApp({ pageToken: { hint: 'In `a"><b>&`.', text: 'x' } });
    expect(await dataOf(other)).toEqual({ token: 'x', hint: 'In a&quot;>&lt;b>&amp;.', inbox: '' });
  });
});

test('with CONSOLE=false, no path of the console exists, and no page links to it', async () => {
  const other = await createTestApp({ config: readConfig({}, { CONSOLE: 'false' }) });
  for (const path of ['/console', '/console-assets/console.js', '/console-assets/console.css'])
    expect([path, (await get(path, {}, other)).status]).toEqual([path, 401]);
  for (const path of ['/', '/swagger', '/swagger?ui=swagger'])
    expect(await (await get(path, { accept: 'text/html' }, other)).text()).not.toContain('href="console"');
  for (const path of ['/', '/swagger', '/swagger?ui=swagger'])
    expect(await (await get(path, { accept: 'text/html' })).text()).toContain('href="console"');
});

test('a service loads the files of the console at the first request for one', async () => {
  using folder = temporaryFolder();
  const modules = async (paths: readonly string[]): Promise<readonly string[]> => {
    await using server = await startServer(folder.file('p.sqlite'), { program: printingModules });
    for (const path of paths) expect((await fetch(server.url + path)).status).toBe(200);
    return (await stopForModules(server)).filter((path) => path.includes('pages/console-files'));
  };
  expect(await modules(['/', '/swagger'])).toEqual([]);
  expect(await modules(['/console'])).toHaveLength(1);
});
