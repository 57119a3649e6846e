import type { AdapterText } from '../measure/adapter.ts';
import { chromium, textOfPage } from './shared/page.ts';

export const tool: AdapterText = {
  name: 'Scalar',
  kind: 'viewer',
  language: 'JavaScript',
  registry: 'npm',
  package: '@scalar/api-reference',
  version: '1.76.0',
  needs: [chromium],
  homepage: 'https://scalar.com/',
  tracker: 'https://github.com/scalar/scalar/issues',
  usage: "Scalar.createApiReference('#app', { url: '/openapi.json', expandAllResponses: true })",
  abilities: {
    show: (session) =>
      textOfPage(session, {
        html: `<div id="app"></div><script src="/viewer.js"></script>
<script>Scalar.createApiReference('#app', ${JSON.stringify(configuration)})</script>`,
        files: { '/viewer.js': '@scalar/api-reference/dist/browser/standalone.js' },
        clicks: [
          'button[aria-expanded="false"]',
          'button[aria-expanded="false"]',
          '[role="option"]:not([aria-selected="true"])',
        ],
      }),
  },
};

const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  expandAllResponses: true,
  expandAllModelSections: true,
  defaultOpenAllTags: true,
};
