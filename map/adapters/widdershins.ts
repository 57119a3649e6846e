import type { AdapterText } from '../measure/adapter.ts';

export const tool: AdapterText = {
  name: 'Widdershins',
  kind: 'viewer',
  language: 'JavaScript',
  registry: 'npm',
  package: 'widdershins',
  version: '4.0.1',
  homepage: 'https://github.com/Mermade/widdershins',
  tracker: 'https://github.com/Mermade/widdershins/issues',
  abilities: {
    show: async (session) => {
      await session.run(['widdershins', 'openapi.yaml', '-o', 'api.md']);
      return Bun.file(session.file('api.md')).text();
    },
  },
};
