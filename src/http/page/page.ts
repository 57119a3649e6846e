/**
 * The page that shows the document. It loads nothing from other hosts: the script of Scalar is in `assets/`, unchanged from its
 * package, and a Content-Security-Policy blocks requests to other hosts.
 */
import { hash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { runtime } from '#runtime';
import type { Document } from '../../document/document.ts';
import { prefersGzip } from '../media-type.ts';

export interface PageToken {
  /** The description next to the field for the token, in Markdown, instead of that in the document. */
  readonly hint: string;
  /** A public token that the page fills in. */
  readonly text?: string;
}

export interface PageOptions {
  readonly token?: PageToken | undefined;
  /** Whether the page has a link to the inbox. */
  readonly hasInbox: boolean;
}

/** The plugin only makes the page. It must not generate a document, since that would be OpenAPI 3.0. */
export const page = (document: () => Document, { token, hasInbox }: PageOptions) => {
  const finished = once(async () => {
    const { title, version, summary: description } = document().info;
    const documentation = { info: { title, version, description } };
    const plugin = new Elysia().use(
      swagger({
        path,
        scalarCDN: scriptPath.slice(1),
        scalarConfig: { ...scalarConfig, ...(token && { authentication: authenticationOf(token) }) },
        documentation,
        exclude: [/.*/],
      }),
    );
    const response = await plugin.handle(new Request(`http://localhost${path}`));
    const html = (await response.text())
      .replace('</head>', () => `${head}</head>`)
      .replace('<body>', () => `<body>${links(hasInbox)}`)
      .replace(withoutSpec, '');
    return { html, headers: { ...pageHeaders, 'content-security-policy': policyOf(html) } };
  });
  const packed = once(() => openAsBlob(runtime.pageScript ?? script));
  /** One shared copy for the few clients that do not accept gzip, even slow ones. */
  const unpacked = once(async () => new Blob([gunzipSync(await (await packed()).bytes())]));

  return new Elysia()
    .get(path, async () => {
      const { html, headers } = await finished();
      return new Response(html, { headers });
    })
    .get(scriptPath, async ({ request }) =>
      prefersGzip(request.headers)
        ? new Response(await packed(), { headers: { ...scriptHeaders, 'content-encoding': 'gzip' } })
        : new Response(await unpacked(), { headers: scriptHeaders }),
    );
};

/** Makes a value at the first call, and again only after a failure. */
const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

/** The policy allows the only inline script, which contains the settings, by its hash. */
const policyOf = (html: string): string => {
  const inline = /<script\s+id="api-reference"[^>]*>([^<]*)<\/script>/.exec(html)?.[1] ?? '';
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', inline, 'base64')}'`,
    // Scalar puts its styles into the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

/** In the npm package, the folder is next to the bundle. */
const script = new URL('assets/scalar-1.72.1-bf091006bdc3.js.gz', import.meta.url);

const path = '/swagger';
const scriptPath = '/swagger-assets/scalar-1.72.1-bf091006bdc3.js';

/** Without the icon, a browser would request one from a path that requires a token. Without the style, narrow columns hide the contact. */
const head = `<link rel="icon" href="data:," />
    <style>
      .section-header-wrapper > .custom-scroll { flex-wrap: wrap; }
      .section-header-wrapper > .custom-scroll > .group { margin-left: 0 !important; border: 0; }
      :root { --scalar-custom-header-height: 40px; }
      .pages {
        position: sticky; top: 0; z-index: 20; box-sizing: border-box; height: 40px; padding: 0 24px;
        display: flex; gap: 24px; align-items: center; overflow-x: auto; white-space: nowrap;
        background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color);
        font: 15px/1 var(--scalar-font);
      }
      .pages a { color: var(--scalar-color-1); }
    </style>
  `;

/** On a small screen, the description comes before the first operation. */
const links = (hasInbox: boolean): string => `
    <nav class="pages" aria-label="Pages">
      <a href="#tag/plants">Operations</a>
      ${hasInbox ? '<a href="inbox">Webhook inbox</a>' : ''}
    </nav>`;

/** The plugin puts the settings between single quotes, and escapes nothing. */
const authenticationOf = ({ hint, text }: PageToken) => ({
  securitySchemes: {
    bearerAuth: { description: hint.replaceAll('&', '&amp;').replaceAll("'", '&#39;'), token: text },
  },
});

/** The address of the document, as the plugin writes it without `spec`. */
const withoutSpec = /\s+data-url="undefined"/;

const scalarConfig: object = {
  // The plugin's own form, for which Scalar warns in the console.
  spec: undefined,
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  defaultOpenAllTags: true,
  // Scalar's default text, "Selected Auth Type: bearerAuth", leaves no space for "Required" next to it.
  localization: { translations: { apiClient: { authSelector: { selectedType: '{type}' } } } },
};

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  vary: 'Accept-Encoding',
  'cache-control': 'public, max-age=31536000, immutable',
};
