/** The paths of pages with a slash at their end. */
import { expect, test } from 'bun:test';
import { readConfig } from '../../src/config/config.ts';
import { createTestApp } from '../support/app/app.ts';
import { startTestDemo } from '../support/app/demo.ts';
import { openTestStore } from '../support/store/engines.ts';

test.each(['console', 'lessons', 'swagger', 'inbox'])(
  '/%s/ leads to the page, with its query, without a token',
  async (page) => {
    await using demo = await startTestDemo();
    const send = (method: string, path: string) => demo.sendUnchecked(method, path, { headers: { authorization: '' } });
    for (const method of ['GET', 'HEAD']) {
      const response = await send(method, `/${page}/?ui=swagger`);
      expect([response.status, response.headers.get('location')]).toEqual([308, `../${page}?ui=swagger`]);
      const path = new URL(response.headers.get('location') ?? '', `http://localhost/prefix/${page}/`).pathname;
      expect(path).toBe(`/prefix/${page}`);
    }
    expect((await send('GET', `/${page}`)).status).toBe(200);
  },
);

test('a path of the API with a slash at its end is still another path, as is that of a page that the service does not have', async () => {
  const { send } = await createTestApp({ store: await openTestStore(), config: readConfig({}, { CONSOLE: 'false' }) });
  for (const path of ['/plants/', '/events/', '/console/', '/inbox/']) {
    expect((await send('GET', path)).status).toBe(404);
    expect((await send('GET', path, { authorization: null })).status).toBe(401);
  }
});
