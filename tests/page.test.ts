/** The page and its script, as a browser gets them; `conformance/page.test.ts` opens it in one. */
import { beforeAll, expect, test } from 'bun:test';
import { createTestApp, type TestApp } from './support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.send('GET', path, { authorization: null, headers });

test('asks nobody but the service for anything', async () => {
  const response = await get('/swagger');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toStartWith("default-src 'none'; script-src 'self' 'sha256-");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toContain('http');
  const html = await response.text();
  expect(html.match(/(?:src|href)="(?!data:)[^"]*"/g)).toEqual([
    expect.stringMatching(/^src="swagger-assets\/scalar-[\d.]+-[0-9a-f]{12}\.js"$/),
  ]);
});

test('has a script that is compressed for those who take it, and never asked for again', async () => {
  const path = `/${/swagger-assets\/[^"]+/.exec(await (await get('/swagger')).text())?.[0]}`;
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

test('is where the root leads', async () => {
  const response = await get('/');
  expect([response.status, response.headers.get('location')]).toEqual([302, '/swagger']);
});
