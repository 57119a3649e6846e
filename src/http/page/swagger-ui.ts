/** Swagger UI, for those who teach with it. It is at `/swagger?ui=swagger`. */
import type { Document } from '../../document/document.ts';
import { assetPath } from './asset.ts';
import { links, linksStyle } from './links.ts';
import type { PageOptions } from './options.ts';

const script = 'swagger-ui-5.35.0-e6a898692f2d.js';
const style = 'swagger-ui-5.35.0-5ed08757e53d.css';

export const swaggerUiAssets = [script, style];

export const createSwaggerUi = ({ title }: Document['info'], options: PageOptions): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${assetPath(style)}">
    <style>
      :root { color-scheme: light dark; }
      html { scroll-padding-top: 40px; }
      body { margin: 0; }${linksStyle}</style>
  </head>
  <body>${links(options, 'swagger')}
    <div id="swagger-ui"></div>
    <script src="${assetPath(script)}"></script>
    <script>${start(options.token?.text)}</script>
  </body>
</html>
`;

/** The validator is a service of another host. */
const start = (token: string | undefined): string => `
      document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
      const ui = SwaggerUIBundle({
        url: 'openapi.json',
        dom_id: '#swagger-ui',
        validatorUrl: null,
        deepLinking: true,
        tryItOutEnabled: true,
        ${token === undefined ? '' : `onComplete: () => ui.preauthorizeApiKey('bearerAuth', ${JSON.stringify(token)}),`}
      });
    `;
