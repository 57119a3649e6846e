/** The lessons of docs/learn/ as one page, to which the page at `/` leads. `page.json` is generated, and loaded at the first request. */
import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import { routing } from '../http/plugin.ts';
import { pageHeaders, strictPolicy } from './headers.ts';
import { once } from './once.ts';

export const serveLessons = (): Elysia => {
  const load = once(async () => {
    const { html, style } = (await import('./lessons.json', { with: { type: 'json' } })).default;
    const policy = strictPolicy(hash('sha256', style, 'base64'));
    return { html: new Blob([html]), headers: { ...pageHeaders, 'content-security-policy': policy } };
  });
  const app = new Elysia(routing).get('/lessons', async () => {
    const { html, headers } = await load();
    return new Response(html, { headers });
  });
  // The compiler need not know the route: no client of the API calls it.
  return app as unknown as Elysia;
};
