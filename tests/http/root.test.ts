import { beforeAll, describe, expect, test } from 'bun:test';
import { createTestApp, type TestApp } from '../support/app/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const send = (method: string, accept?: string): Promise<Response> =>
  app.send(method, '/', { authorization: null, headers: accept === undefined ? {} : { accept } });

const acceptOfFirefox = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const acceptOfChromium =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

describe.each(['GET', 'HEAD'])('the path / with %s', (method) => {
  test.each([acceptOfFirefox, acceptOfChromium, 'text/html', 'text/plain;q=0.5, text/html'])(
    `${method} / sends a page with links to a browser, which accepts %s`,
    async (accept) => {
      const response = await send(method, accept);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.headers.get('vary')).toBe('accept');
      const paths = [...(await response.text()).matchAll(/href="([\w./-]+)"/g)].map(([, path = '']) => path);
      const documents = ['openapi.json', 'openapi.yaml', 'openapi-3.0.json', 'openapi-3.2.json'];
      expect(paths).toEqual(method === 'HEAD' ? [] : ['console', 'swagger', ...documents, 'lessons']);
      for (const path of paths) expect((await app.send('GET', `/${path}`, { authorization: null })).status).toBe(200);
    },
  );

  test.each([undefined, '*/*', 'text/*', 'text/plain', 'text/html;q=0.1, */*', 'application/json', 'nonsense'])(
    `${method} / sends one line, with the paths of the document and the page, to a client that accepts %p`,
    async (accept) => {
      const response = await send(method, accept);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(response.headers.get('vary')).toBe('accept');
      const line = await response.text();
      expect(line).toMatch(method === 'HEAD' ? /^$/ : /^[^\n]+\n$/);
      const paths: readonly string[] = line.match(/\/[\w./-]*\w/g) ?? [];
      expect(paths).toEqual(method === 'HEAD' ? [] : ['/openapi.json', '/swagger']);
      for (const path of paths) expect((await app.send('GET', path, { authorization: null })).status).toBe(200);
    },
  );
});

test('the page at / allows its own style and nothing else, and links to the inbox if there is one', async () => {
  const response = await send('GET', 'text/html');
  const html = await response.text();
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
  const policy = response.headers.get('content-security-policy');
  expect(policy).toStartWith("default-src 'none';");
  expect(policy).toContain(`'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`);
  expect(html).not.toContain('inbox');
  expect(html).not.toMatch(/https?:|<script/);
});
