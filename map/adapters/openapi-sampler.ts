import type { sample } from 'openapi-sampler';
import type { AdapterText } from '../measure/adapter.ts';
import { valueAt } from '../measure/operation.ts';
import { Refusal } from '../measure/session.ts';

export const tool: AdapterText = {
  name: 'openapi-sampler',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: 'openapi-sampler',
  version: '1.7.10',
  isQuick: true,
  homepage: 'https://github.com/Redocly/openapi-sampler',
  tracker: 'https://github.com/Redocly/openapi-sampler/issues',
  usage: 'sample(schema, {}, document)',
  abilities: {
    sample: async ({ import: imported, document }, questions) => {
      const sampler = await imported<{ sample: typeof sample }>('openapi-sampler');
      return questions.map(({ schema }) => {
        try {
          return JSON.stringify(sampler.sample(valueAt(document, `/components/schemas/${schema}`) ?? {}, {}, document));
        } catch (error) {
          throw new Refusal(`${error}`);
        }
      });
    },
  },
};
