import type { AdapterText } from '../measure/adapter.ts';
import { Refusal } from '../measure/session.ts';

export const tool: AdapterText = {
  name: '@scalar/openapi-to-markdown',
  kind: 'viewer',
  language: 'TypeScript',
  registry: 'npm',
  package: '@scalar/openapi-to-markdown',
  version: '1.7.0',
  homepage: 'https://github.com/scalar/scalar',
  tracker: 'https://github.com/scalar/scalar/issues',
  usage: 'await createMarkdownFromOpenApi(text)',
  abilities: {
    show: async (session) => {
      const { createMarkdownFromOpenApi } = await session.import<Package>('@scalar/openapi-to-markdown');
      try {
        return await createMarkdownFromOpenApi(await Bun.file(session.file('openapi.json')).text());
      } catch (error) {
        throw new Refusal(`${error}`);
      }
    },
  },
};

interface Package {
  readonly createMarkdownFromOpenApi: (text: string) => Promise<string>;
}
