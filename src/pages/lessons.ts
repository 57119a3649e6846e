/**
 * The lessons of docs/learn/ as one page, to which the page at `/` leads, with two documents that they show. The browser checks the
 * exercises, so no request costs the service a validation. `lessons.json` is generated, and loaded at the first request.
 */
import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import { routing } from '../http/plugin.ts';
import { fileOf, respondFile } from './file.ts';
import { pageHeaders, strictPolicy } from './headers.ts';
import { once } from './once.ts';
import type { PageOptions } from './options.ts';

export const serveLessons = ({ hasConsole, hasInbox }: PageOptions): Elysia => {
  const links = [
    ...(hasConsole ? [['console', 'Console']] : []),
    ['swagger', 'API reference'],
    ...(hasInbox ? [['inbox', 'Webhook inbox']] : []),
  ].map(([href, text]) => `<a href="${href}">${text}</a>`);
  const load = once(async () => {
    const { html, style, script, documents } = (await import('./lessons.json', { with: { type: 'json' } })).default;
    const policy = strictPolicy(hash('sha256', style, 'base64'));
    return {
      page: new Blob([html.replace('{{links}}', links.join(' '))]),
      headers: { ...pageHeaders, 'content-security-policy': policy },
      files: {
        'lessons-assets/lessons.js': fileOf('text/javascript', script),
        'lesson.yaml': fileOf('application/yaml', documents['lesson.yaml']),
        'arazzo.yaml': fileOf('application/yaml', documents['arazzo.yaml']),
      },
    };
  });
  const app = new Elysia(routing).get('/lessons', async () => {
    const { page, headers } = await load();
    return new Response(page, { headers });
  });
  for (const name of ['lessons-assets/lessons.js', 'lesson.yaml', 'arazzo.yaml'] as const)
    app.get(`/${name}`, async ({ request }) => respondFile((await load()).files[name], request));
  // The compiler need not know the routes: no client of the API calls them.
  return app as unknown as Elysia;
};
