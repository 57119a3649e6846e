/** The page of the inbox. It loads its script and its style from here, and nothing from other hosts. */
import { escapeHtml, pageHeaders, strictPolicy } from '../../pages/headers.ts';
import type { PageToken } from '../../pages/options.ts';
import source from './page.json' with { type: 'json' };

/** The paths of the files that the page loads, relative to the page, and their contents. */
export const assets = [
  { path: 'inbox-assets/inbox.js', type: 'text/javascript', text: source.script },
  { path: 'inbox-assets/inbox.css', type: 'text/css', text: source.style },
];

/** `url` is that of the inbox, to which names are added. */
export const createPage = (url: string, token: PageToken): Response => {
  const values: Readonly<Record<string, string>> = {
    url,
    token: token.text ?? '',
    hint: token.hint.replaceAll('`', ''),
  };
  const html = source.html.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => escapeHtml(values[name] ?? ''));
  return new Response(html, { headers });
};

export const serveAsset = ({ type, text }: (typeof assets)[number]): Response =>
  new Response(text, { headers: { ...common, 'content-type': `${type}; charset=utf-8` } });

const common = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };

const headers = { ...pageHeaders, vary: 'accept', 'content-security-policy': strictPolicy() };
