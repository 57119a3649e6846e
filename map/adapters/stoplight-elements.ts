import type { AdapterText } from '../measure/adapter.ts';
import { chromium, textOfPage } from './shared/page.ts';

export const tool: AdapterText = {
  name: 'Stoplight Elements',
  kind: 'viewer',
  language: 'JavaScript',
  registry: 'npm',
  package: '@stoplight/elements',
  version: '9.0.25',
  needs: [chromium],
  homepage: 'https://github.com/stoplightio/elements',
  tracker: 'https://github.com/stoplightio/elements/issues',
  usage: '<elements-api apiDescriptionUrl="/openapi.json" router="hash"></elements-api>',
  sentences: {
    callbacks: [
      'wrong',
      'It shows an empty page for a document with a callback that refers to a shared path item.',
      /does not show the title/,
    ],
  },
  abilities: {
    show: (session) =>
      textOfPage(session, {
        html: `<link rel="stylesheet" href="/viewer.css"><script src="/viewer.js"></script>
<elements-api apiDescriptionUrl="/openapi.json" router="hash"></elements-api>`,
        files: {
          '/viewer.js': '@stoplight/elements/web-components.min.js',
          '/viewer.css': '@stoplight/elements/styles.min.css',
        },
        clicks: ['[role="tab"]', '[role="tab"]:first-child'],
        presses: '[role="button"][aria-expanded="false"]',
        parts: 'a[href^="#/"]',
      }),
  },
};
