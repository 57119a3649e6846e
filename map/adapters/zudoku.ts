import type { AdapterText } from '../measure/adapter.ts';
import { linkPackages } from './shared/packages.ts';
import { chromium } from './shared/page.ts';
import { textOfSite } from './shared/site.ts';

const configuration = `export default {
  apis: [{ type: 'file', input: './openapi.json', path: '/api' }],
  redirects: [{ from: '/', to: '/api' }],
};
`;

export const tool: AdapterText = {
  name: 'Zudoku',
  kind: 'viewer',
  language: 'JavaScript',
  registry: 'npm',
  package: 'zudoku',
  version: '0.76.0',
  needs: ['node', chromium],
  homepage: 'https://zudoku.dev',
  tracker: 'https://github.com/zuplo/zudoku/issues',
  abilities: {
    show: async (session) => {
      await Bun.write(session.file('zudoku.config.ts'), configuration);
      await Bun.write(session.file('package.json'), '{ "type": "module" }\n');
      linkPackages(session);
      const env = { ZUDOKU_DISABLE_UPDATE_CHECK: '1', NODE_ENV: 'production' };
      await session.run(['node', 'node_modules/.bin/zudoku', 'build'], { env });
      const pages = [...new Bun.Glob('**/*.html').scanSync(session.file('dist'))];
      return textOfSite(session, {
        folder: 'dist',
        pages: pages.flatMap((page) => (page.startsWith('api') ? [page.replace(/\.html$/, '')] : [])).sort(),
        clicks: ['button[aria-expanded="false"]:not([aria-haspopup])', '[role="tab"]'],
      });
    },
  },
};
