/** The page and its script over HTTP. `conformance/page.test.ts` opens the page in a browser. */
import { beforeAll, expect, spyOn, test } from 'bun:test';
import { hash } from 'node:crypto';
import { connect } from 'node:net';
import * as zlib from 'node:zlib';
import { operations } from '../../src/app/app.ts';
import { createDocument } from '../../src/document/document.ts';
import { memoryMebibytes } from '../faults/support/usage.ts';
import { createTestApp, type TestApp } from '../support/app/app.ts';
import { temporaryFolder } from '../support/folder.ts';
import { sendRaw } from '../support/network/raw.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { startServer } from '../support/programs/process.ts';
import { until } from '../support/until.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.send('GET', path, { authorization: null, headers });

const scriptPath = async (): Promise<string> =>
  `/${/swagger-assets\/[^"]+\.js(?=")/.exec(await (await get('/swagger')).text())?.[0]}`;

test('the page loads nothing from another host', async () => {
  const response = await get('/swagger');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toStartWith("default-src 'none'; script-src 'self' 'sha256-");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toContain('http');
  const html = await response.text();
  expect(html.match(/(?:src|href)="(?!data:)[^"]*"/g)).toEqual([
    'href="#tag/plants"',
    'href="?ui=swagger"',
    'href="console"',
    'href="lessons"',
    expect.stringMatching(/^src="swagger-assets\/scalar-[\d.]+-[0-9a-f]{12}\.js"$/),
  ]);
});

test('Swagger UI loads nothing from another host, and has a token only if one is given', async () => {
  const response = await get('/swagger?ui=swagger');
  const html = await response.text();
  const inline = /<script>([^<]*)<\/script>/.exec(html)?.[1] ?? '';
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toStartWith(`default-src 'none'; script-src 'self' 'sha256-${hash('sha256', inline, 'base64')}'; `);
  const file = (ending: string): RegExp => new RegExp(`="swagger-assets/swagger-ui-[\\d.]+-[0-9a-f]{12}\\.${ending}"$`);
  expect(html.match(/(?:src|href)="(?!data:)[^"]*"/g)).toEqual([
    expect.stringMatching(file('css')),
    'href="#operations-tag-plants"',
    'href="swagger"',
    'href="console"',
    'href="lessons"',
    expect.stringMatching(file('js')),
  ]);
  for (const [path = '', type] of html.matchAll(/swagger-assets\/[^"]+\.(css|js)/g)) {
    const { headers, status } = await get(`/${path}`, { 'accept-encoding': 'gzip' });
    expect([status, headers.get('content-type')]).toEqual([
      200,
      `text/${type === 'js' ? 'javascript' : type}; charset=utf-8`,
    ]);
  }
  expect(inline).not.toContain('preauthorize');
  const other = await createTestApp({ pageToken: { hint: '', text: 'x' } });
  const shown = await (await other.send('GET', '/swagger?ui=swagger', { authorization: null })).text();
  expect(shown).toContain(`ui.preauthorizeApiKey('bearerAuth', "x")`);
});

test('any other ui in the query is ignored', async () => {
  const scalar = await (await get('/swagger')).text();
  for (const query of ['?ui=', '?ui=redoc', '?ui=scalar', '?ui=swagger&ui=x'])
    expect([query, (await (await get(`/swagger${query}`)).text()) === scalar]).toEqual([query, true]);
});

test('the settings of the page have the address of the document, and a token only if one is given', async () => {
  const settingsOf = async ({ send }: TestApp) => {
    const html = await (await send('GET', '/swagger', { authorization: null })).text();
    expect(html).not.toContain('undefined');
    return JSON.parse(/data-configuration='([^']*)'/.exec(html)?.[1] ?? '');
  };
  const { url, spec, authentication } = await settingsOf(app);
  expect([url, spec, authentication]).toEqual(['swagger-assets/openapi.json', undefined, undefined]);
  const other = await createTestApp({ pageToken: { hint: "it's public", text: 'x' } });
  expect((await settingsOf(other)).authentication).toEqual({
    securitySchemes: { bearerAuth: { description: 'it&#39;s public', token: 'x' } },
  });
});

test('the title and the description of the page are the title and the summary of the document', async () => {
  const { title, summary } = createDocument(operations).info;
  const html = await (await get('/swagger')).text();
  expect(/<title>(.*)<\/title>/.exec(html)?.[1]).toBe(title);
  expect(/name="description"\s+content="([^"]*)"/.exec(html)?.[1]).toBe(summary);
});

test('the script of the page is compressed for clients that accept it, and cached permanently', async () => {
  const path = await scriptPath();
  const packed = await get(path, { 'accept-encoding': 'gzip, br' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  const plain = await get(path);
  expect(plain.headers.get('content-encoding')).toBeNull();
  for (const { headers } of [packed, plain]) {
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  }
  const script = Buffer.from(Bun.gunzipSync(await packed.arrayBuffer()));
  expect(script.equals(Buffer.from(await plain.bytes()))).toBe(true);
  expect(script.length).toBeGreaterThan(1_000_000);
});

test.each([
  ['gzip', true],
  ['GZIP;q=0.5, br', true],
  ['x-gzip', true],
  ['deflate, x-gzip ; q=1', true],
  ['*', true],
  ['gzip;q=0', false],
  ['gzip ; q=0.000, *', false],
  ['gzip;q=0.1, identity', false],
  ['*;q=0', false],
  ['nogzip', false],
  ['br', false],
  ['', false],
])('the script of the page for Accept-Encoding %p is compressed: %p', async (header, isCompressed) => {
  const { headers } = await get(await scriptPath(), { 'accept-encoding': header });
  expect(headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null);
});

test('the script of the page is decompressed once for all clients', async () => {
  app = await createTestApp();
  const path = await scriptPath();
  using unpack = spyOn(zlib, 'gunzipSync');
  for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) await app.send(method, path, { authorization: null });
  expect(unpack).toHaveBeenCalledTimes(1);
});

linuxTest('slow readers of the script share its memory, and the response to HEAD has no body', async () => {
  using folder = temporaryFolder();
  await using server = await startServer(folder.file('p.sqlite'));
  const path = await scriptPath();
  const { text } = await sendRaw(server.port, [`HEAD ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`]);
  expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n(?:.+\r\n)*content-length: 4\d{6}\r\n(?:.+\r\n)*\r\n$/i);
  const before = memoryMebibytes(server.pid);
  const readers = Array.from({ length: 100 }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket;
  });
  await until(() => server.log.filter(({ msg }) => msg === 'request').length > readers.length);
  // A copy of the script for each reader would need more than 400 MiB.
  expect(memoryMebibytes(server.pid) - before).toBeLessThan(100);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  for (const socket of readers) socket.destroy();
});
