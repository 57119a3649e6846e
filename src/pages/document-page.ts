/**
 * The page that shows the document, with Scalar or with Swagger UI. It loads nothing from other hosts: its files are in `assets/`, unchanged
 * from their packages, and a Content-Security-Policy blocks requests to other hosts.
 */
import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import type { Document } from '../document/document.ts';
import { assetPath, serveAsset } from './asset.ts';
import { pageHeaders } from './headers.ts';
import { links, linksStyle } from './links.ts';
import { once } from './once.ts';
import type { PageOptions, PageToken } from './options.ts';
import { createSwaggerUi, swaggerUiAssets } from './swagger-ui.ts';

/** The plugin only makes the page. It must not generate a document, since that would be OpenAPI 3.0. */
export const page = (document: () => Promise<Document>, options: PageOptions) => {
  const { token } = options;
  const scalar = once(async () => {
    // With its own packages, it takes a tenth of a start.
    const { swagger } = await import('@elysiajs/swagger');
    const { title, version, summary: description } = (await document()).info;
    const documentation = { info: { title, version, description } };
    const plugin = new Elysia().use(
      swagger({
        path,
        scalarCDN: assetPath(script),
        scalarConfig: { ...scalarConfig, ...(token && { authentication: authenticationOf(token) }) },
        documentation,
        exclude: [/.*/],
      }),
    );
    const response = await plugin.handle(new Request(`http://localhost${path}`));
    const html = (await response.text())
      .replace('</head>', () => `${head}</head>`)
      .replace('<body>', () => `<body>${links(options, 'scalar')}`)
      .replace(withoutSpec, '');
    return withPolicy(html);
  });
  const swaggerUi = once(async () => withPolicy(createSwaggerUi((await document()).info, options)));
  const app = new Elysia().get(path, async ({ query }) => {
    const { html, headers } = await (query['ui'] === 'swagger' ? swaggerUi() : scalar());
    return new Response(html, { headers });
  });
  for (const name of [script, ...swaggerUiAssets]) app.use(serveAsset(name));
  return app;
};

const withPolicy = (html: string) => ({
  html,
  headers: { ...pageHeaders, 'content-security-policy': policyOf(html) },
});

/** The policy allows the inline scripts of the page by their hashes. */
const policyOf = (html: string): string => {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^<]*)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    // Both put styles into the page.
    "style-src 'self' 'unsafe-inline'",
    // A picture in a response is shown.
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

const path = '/swagger';
/** The copy that the page loads, relative to it. */
export const documentOfPage = 'swagger-assets/openapi.json';
const script = 'scalar-1.72.1-bf091006bdc3.js';

/** Scalar needs the storage of the browser, which a user can block. It then has one of the page. */
const storageScript = `
      for (const name of ['localStorage', 'sessionStorage'])
        try {
          window[name].getItem('');
        } catch {
          const texts = new Map();
          const value = {
            getItem: (key) => texts.get(key) ?? null,
            setItem: (key, text) => void texts.set(key, String(text)),
            removeItem: (key) => void texts.delete(key),
            clear: () => texts.clear(),
            key: (index) => [...texts.keys()][index] ?? null,
            get length() { return texts.size; },
          };
          Object.defineProperty(window, name, { value });
        }
    `;

/** Without the icon, a browser would request one from a path that requires a token. Without the style, narrow columns hide the contact. */
const head = `<link rel="icon" href="data:," />
    <script>${storageScript}</script>
    <style>
      .section-header-wrapper > .custom-scroll { flex-wrap: wrap; }
      .section-header-wrapper > .custom-scroll > .group { margin-left: 0 !important; border: 0; }
      :root { --scalar-custom-header-height: 40px; }
${linksStyle}</style>
  `;

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
  url: documentOfPage,
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
