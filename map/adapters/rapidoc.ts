import type { AdapterText } from '../measure/adapter.ts';
import { chromium, textOfPage } from './shared/page.ts';

export const tool: AdapterText = {
  name: 'RapiDoc',
  kind: 'viewer',
  language: 'JavaScript',
  registry: 'npm',
  package: 'rapidoc',
  version: '9.3.8',
  needs: [chromium],
  homepage: 'https://rapidocweb.com/',
  tracker: 'https://github.com/rapi-doc/RapiDoc/issues',
  usage: '<rapi-doc spec-url="/openapi.json" render-style="read" schema-expand-level="9"></rapi-doc>',
  abilities: {
    show: (session) =>
      textOfPage(session, {
        html: `<script src="/viewer.js"></script>
<rapi-doc spec-url="/openapi.json" render-style="read" schema-expand-level="9" load-fonts="false"></rapi-doc>`,
        files: { '/viewer.js': 'rapidoc/dist/rapidoc-min.js' },
        clicks: ['[data-tab="schema"]', '[data-tab="example"]'],
        hovers: '.tooltip:not(.tooltip-replace)',
      }),
  },
};
