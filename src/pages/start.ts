/** The page at `/` in a browser: what the service has for people. Its links are relative, for a proxy with a prefix. */
import { hash } from 'node:crypto';
import { pageHeaders, strictPolicy } from './headers.ts';
import type { PageOptions } from './options.ts';

export const createStartPage = ({ hasConsole, hasInbox }: PageOptions) => {
  const items = [...(hasConsole ? [consolePage] : []), reference, ...(hasInbox ? [inbox] : []), document, lessons];
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Plant Store</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>Plant Store</h1>
      <p>A plant store that implements its whole OpenAPI document.</p>
      <ul>
        ${items.join('\n        ')}
      </ul>
    </main>
  </body>
</html>
`;
  return { html, headers: { ...pageHeaders, vary: 'accept', 'content-security-policy': policy } };
};

const item = (title: string, text: string): string => `<li>${title}<p>${text}</p></li>`;
const link = (href: string, title: string): string => `<a href="${href}">${title}</a>`;

const consolePage = item(
  link('console', 'Console'),
  'The plants, the live log, the webhooks and the health, with your token.',
);
const reference = item(link('swagger', 'API reference'), 'Every operation, with examples that you can send.');
const inbox = item(link('inbox', 'Webhook inbox'), 'A receiver for webhooks that shows each message.');
const document = item(
  link('openapi.json', 'OpenAPI document'),
  `OpenAPI 3.1. Also as ${link('openapi.yaml', 'YAML')}, and for ${link('openapi-3.0.json', '3.0')} and ${link('openapi-3.2.json', '3.2')}.`,
);
const lessons = item(link('lessons', 'Lessons'), 'Short lessons of OpenAPI 3.1, with exercises.');

const style = `
      :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
      body { margin: 0; background: light-dark(#f7f7f4, #14171a); color: light-dark(#1c2024, #e8eaec); }
      main { box-sizing: border-box; max-width: 40rem; margin: 0 auto; padding: 3rem 1.25rem; }
      h1 { margin: 0; font-size: 1.75rem; }
      ul { display: grid; gap: 0.75rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
      li { padding: 1rem; border: 1px solid light-dark(#d9dcd6, #363c42); border-radius: 0.6rem;
        background: light-dark(#fff, #1d2125); font-weight: 600; }
      li p { margin: 0.25rem 0 0; font-weight: 400; color: light-dark(#596066, #a3abb2); }
      a { color: light-dark(#1f6f3f, #7bd39b); }
      :focus-visible { outline: 3px solid; outline-offset: 2px; }
    `;

const policy = strictPolicy(hash('sha256', style, 'base64'));
