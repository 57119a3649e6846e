/** Swagger UI, for those who teach with it. It is at `/swagger?ui=swagger`. */
import type { Document } from '../document/document.ts';
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

/**
 * The page differs from Swagger UI in two ways:
 * - Swagger UI sends each parameter that has an example. So the page removes those of optional parameters from its copy of the document.
 * - Swagger UI rounds ids beyond 2^53 in responses. The page shows them as they are; a browser without `JSON.rawJSON` does not indent them.
 *
 * The validator is a service of another host.
 */
const start = (token: string | undefined): string => `
      document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
      const withoutExample = (key, value) => value?.in && !value.required ? { ...value, examples: undefined } : value;
      const exactly = (key, value, { source }) => typeof value === 'number' ? JSON.rawJSON(source) : value;
      const indent = (text) => JSON.rawJSON ? JSON.stringify(JSON.parse(text, exactly), null, 2) : text;
      const changes = ({ React: { createElement } }) => ({
        statePlugins: { spec: { wrapActions: {
          updateJsonSpec: (update) => (spec) => update(JSON.parse(JSON.stringify(spec, withoutExample))),
        } } },
        wrapComponents: { responseBody: (Body, { getComponent }) => (props) => {
          if (!/json/.test(props.contentType) || !/\\d{16}/.test(props.content)) return createElement(Body, props);
          const options = { language: 'json', canCopy: true, downloadable: true, fileName: 'response.json' };
          return createElement('div', null, createElement('h5', null, 'Response body'),
            createElement(getComponent('HighlightCode', true), options, indent(props.content)));
        } },
      });
      const ui = SwaggerUIBundle({
        url: 'openapi.json',
        dom_id: '#swagger-ui',
        validatorUrl: null,
        deepLinking: true,
        tryItOutEnabled: true,
        plugins: [changes],
        ${token === undefined ? '' : `onComplete: () => ui.preauthorizeApiKey('bearerAuth', ${JSON.stringify(token)}),`}
      });
    `;
