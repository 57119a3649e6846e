/**
 * The console: one page that is a client of the API, and has no right of its own. Its source is in `console/`; `console.json` is generated
 * from it, and loaded at the first request.
 */
import { Elysia } from 'elysia';
import { routing } from '../http/plugin.ts';
import { respondFile } from './file.ts';
import { escapeHtml, pageHeaders, strictPolicy } from './headers.ts';
import { once } from './once.ts';
import type { PageOptions } from './options.ts';

/** The page needs no token to be loaded. All that it shows, it asks the API for, with the token of its user. */
export const serveConsole = ({ token, hasInbox }: PageOptions): Elysia => {
  const load = once(async () => (await import('./console-files.ts')).files);
  const page = once(async () => {
    const values: Readonly<Record<string, string>> = {
      token: token?.text ?? '',
      hint: token?.hint.replaceAll('`', '') ?? 'A token that plant-store token create has printed.',
      inbox: hasInbox ? 'inbox' : '',
    };
    const { html } = await load();
    return html.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => escapeHtml(values[name] ?? ''));
  });
  const app = new Elysia(routing).get(`/console`, async () => new Response(await page(), { headers }));
  for (const name of ['console.js', 'console.css'] as const)
    app.get(`/console-assets/${name}`, async ({ request }) => respondFile((await load())[name], request));
  // The compiler need not know the routes: no client of the API calls them.
  return app as unknown as Elysia;
};

const headers = { ...pageHeaders, 'content-security-policy': strictPolicy() };
