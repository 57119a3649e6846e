import type { AdapterText } from '../measure/adapter.ts';
import { chromium, textOfPage } from './shared/page.ts';

export const tool: AdapterText = {
  name: 'Redoc',
  kind: 'viewer',
  language: 'JavaScript',
  registry: 'npm',
  package: 'redoc',
  version: '2.5.4',
  needs: [chromium],
  homepage: 'https://redocly.com/redoc',
  tracker: 'https://github.com/Redocly/redoc/issues',
  usage: "Redoc.init('/openapi.json', { expandResponses: 'all', schemasExpansionLevel: 'all' }, element)",
  abilities: {
    show: (session) =>
      textOfPage(session, {
        html: `<div id="app"></div><script src="/viewer.js"></script>
<script>Redoc.init('/openapi.json', { expandResponses: 'all', schemasExpansionLevel: 'all', jsonSamplesExpandLevel: 'all', disableSearch: true }, document.getElementById('app'))</script>`,
        files: { '/viewer.js': 'redoc/bundles/redoc.standalone.js' },
        clicks: [
          'button:has(.http-verb)',
          'button:has(.operation-type)',
          'h5:text-is("Authorizations:")',
          'button + button',
          'button[aria-expanded="false"]',
          '[role="tab"]',
          '[role="tab"]:first-child',
        ],
      }),
  },
};
