import type { AdapterText } from '../measure/adapter.ts';

export const tool: AdapterText = {
  name: 'openapi-to-md',
  kind: 'viewer',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-to-md',
  version: '1.1.1',
  homepage: 'https://github.com/SoraKumo001/openapi-to-md',
  tracker: 'https://github.com/SoraKumo001/openapi-to-md/issues',
  abilities: {
    show: async (session) => {
      await session.run(['openapi-to-md', 'openapi.yaml', 'api.md']);
      const text = await Bun.file(session.file('api.md')).text();
      // The lists of all components do not say what an operation has.
      return text.replace(/^## Reference Table$.*?(?=^## Path Details$)/ms, '').replace(/^## References$.*/ms, '');
    },
  },
};
