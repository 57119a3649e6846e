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
    `${method} / redirects a browser, which accepts %s, to the page`,
    async (accept) => {
      const response = await send(method, accept);
      expect([response.status, response.headers.get('location'), await response.text()]).toEqual([302, 'swagger', '']);
      expect(response.headers.get('vary')).toBe('accept');
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
