/** The page at /lessons: all lessons of docs/learn/, whose links lead somewhere. */
import { expect, test } from 'bun:test';
import { lessons } from '../../docs/pages/lessons.ts';
import { createTestApp } from '../support/app/app.ts';
import { read } from '../support/project/imports.ts';

test('the page has every lesson with its exercise, and the links lead to a section, a document of the service or another site', async () => {
  const app = await createTestApp();
  const get = (path: string): Promise<Response> => app.send('GET', path, { authorization: null });
  const html = await (await get('/lessons')).text();
  const ids = [...html.matchAll(/<section id="([^"]+)">/g)].map(([, id]) => `#${id}`);
  expect(ids).toEqual([
    '#readme',
    ...lessons.map(({ file }) => `#${file.replace('.md', '')}`),
    '#from-3.0',
    '#teachers',
    '#compare',
  ]);
  const exercises = [...html.matchAll(/ data-lesson="(\d+)"/g)].map(([, number]) => number);
  expect(exercises).toEqual(lessons.map((_, index) => `${index + 1}`));
  const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href);
  const others = links.filter((href) => !href.startsWith('https:') && !ids.includes(href));
  expect(new Set(others)).toEqual(
    new Set([
      'console',
      'swagger',
      'lesson.yaml',
      'arazzo.yaml',
      'openapi.yaml',
      'openapi-3.0.json',
      'openapi-3.2.json',
    ]),
  );
  for (const path of others) expect((await get(`/${path}`)).status).toBe(200);
});

test('the documents of the exercises and the script need no token, and a client that has them gets 304', async () => {
  const app = await createTestApp();
  for (const path of ['lesson.yaml', 'arazzo.yaml', 'lessons-assets/lessons.js']) {
    const response = await app.send('GET', `/${path}`, { authorization: null });
    const headers = { 'if-none-match': `${response.headers.get('etag')}` };
    expect([path, response.status]).toEqual([path, 200]);
    if (path.endsWith('.yaml')) expect(await response.text()).toBe(read(`openapi/${path}`));
    expect((await app.send('GET', `/${path}`, { authorization: null, headers })).status).toBe(304);
  }
});

test('the page allows its own style and script and nothing else', async () => {
  const app = await createTestApp();
  const response = await app.send('GET', '/lessons', { authorization: null });
  const html = await response.text();
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
  const policy = response.headers.get('content-security-policy');
  expect(policy).toStartWith("default-src 'none';");
  expect(policy).toContain(`'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`);
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="lessons-assets/lessons.js" defer>']);
  expect(html).not.toMatch(/<img| style=| on\w+=/);
});
