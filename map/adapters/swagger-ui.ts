import type { AdapterText } from '../measure/adapter.ts';
import { chromium, textOfPage } from './shared/page.ts';

export const tool: AdapterText = {
  name: 'Swagger UI',
  kind: 'viewer',
  language: 'JavaScript',
  registry: 'npm',
  package: 'swagger-ui-dist',
  version: '5.35.0',
  needs: [chromium],
  homepage: 'https://swagger.io/tools/swagger-ui/',
  tracker: 'https://github.com/swagger-api/swagger-ui/issues',
  usage: "SwaggerUIBundle({ dom_id: '#app', url: '/openapi.json', docExpansion: 'full' })",
  abilities: {
    show: (session) =>
      textOfPage(session, {
        html: `<link rel="stylesheet" href="/viewer.css"><div id="app"></div><script src="/viewer.js"></script>
<script>SwaggerUIBundle({ dom_id: '#app', url: '/openapi.json', docExpansion: 'full', defaultModelsExpandDepth: 9, defaultModelExpandDepth: 9 })</script>`,
        files: {
          '/viewer.js': 'swagger-ui-dist/swagger-ui-bundle.js',
          '/viewer.css': 'swagger-ui-dist/swagger-ui.css',
        },
        clicks: [
          'button[aria-expanded="false"]',
          'button[data-name="model"]',
          '.json-schema-2020-12-expand-deep-button, .model-toggle.collapsed',
          'button[data-name="example"]',
          'button.try-out__btn',
          '.opblock .tab-item:not(.active)',
          'button[aria-expanded="false"]',
          'button.authorize',
        ],
      }),
  },
};
