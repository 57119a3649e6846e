import type { AdapterText } from '../measure/adapter.ts';
import { chromium, textOfPage } from './shared/page.ts';

export const tool: AdapterText = {
  name: 'OpenAPI Explorer',
  kind: 'viewer',
  language: 'JavaScript',
  registry: 'npm',
  package: 'openapi-explorer',
  version: '2.4.820',
  needs: [chromium],
  homepage: 'https://github.com/Authress-Engineering/openapi-explorer',
  tracker: 'https://github.com/Authress-Engineering/openapi-explorer/issues',
  usage: '<openapi-explorer spec-url="/openapi.json" schema-expand-level="9"></openapi-explorer>',
  abilities: {
    show: (session) =>
      textOfPage(session, {
        html: `<script type="module" src="/viewer.js"></script>
<openapi-explorer spec-url="/openapi.json" schema-expand-level="9"></openapi-explorer>`,
        files: { '/viewer.js': 'openapi-explorer/dist/browser/openapi-explorer.min.js' },
        clicks: ['[data-tab="model"]', '[data-tab="body"]', '[data-tab="example"]'],
        hovers: '.tooltip:not(.tooltip-replace)',
        parts: '.nav-bar-info, .nav-bar-path:not([data-content-id^="cmp-"])',
      }),
  },
};
