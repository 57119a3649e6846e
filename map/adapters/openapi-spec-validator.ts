import type { Problem } from '../measure/abilities/lint.ts';
import type { AdapterText } from '../measure/adapter.ts';

export const tool: AdapterText = {
  name: 'openapi-spec-validator',
  kind: 'parser',
  language: 'Python',
  registry: 'pypi',
  package: 'openapi-spec-validator',
  version: '0.9.0',
  homepage: 'https://openapi-spec-validator.readthedocs.io/',
  tracker: 'https://github.com/python-openapi/openapi-spec-validator/issues',
  abilities: {
    // It compares the document with the official schema, and does not look at examples.
    lint: async (session, questions) => {
      const results: (Problem[] | undefined)[] = [];
      for (const { file, level } of questions) {
        if (level === 'example') results.push(undefined);
        else {
          const { text, exitCode } = await session.run(['openapi-spec-validator', file], { mayFail: true });
          const lines = text.split('\n').filter((line) => line.trim() !== '');
          results.push(exitCode === 0 ? [] : [{ message: lines.slice(0, 3).join(' ') }]);
        }
      }
      return results;
    },
  },
};
