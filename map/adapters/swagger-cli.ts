import type { Problem } from '../measure/abilities/lint.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { decidingLine } from '../measure/check.ts';
import { valuesAt } from './shared/parser.ts';

export const tool: AdapterText = {
  name: 'swagger-cli',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: '@apidevtools/swagger-cli',
  version: '4.0.4',
  homepage: 'https://apitools.dev/swagger-cli/',
  tracker: 'https://github.com/APIDevTools/swagger-cli/issues',
  notes: ['The command of swagger-parser, of which it gets a version of its own.'],
  abilities: {
    lint: async (session, questions) => {
      const results: (Problem[] | undefined)[] = [];
      for (const { file, level = 'document' } of questions) {
        if (level !== 'document' && level !== 'reference') {
          results.push(undefined);
          continue;
        }
        const { text, exitCode } = await session.run(['swagger-cli', 'validate', file], { mayFail: true });
        results.push(exitCode === 0 ? [] : [{ message: decidingLine(text, /must|not|missing|unsupported/i) }]);
      }
      return results;
    },
    resolve: async (session, pointers) => {
      await session.run(['swagger-cli', 'bundle', '--dereference', '--outfile', 'bundled.json', 'openapi.yaml']);
      return valuesAt(await Bun.file(session.file('bundled.json')).json(), pointers);
    },
    rewrite: async (session) => {
      await session.run(['swagger-cli', 'bundle', '--outfile', 'bundled.json', 'openapi.yaml']);
      return Bun.file(session.file('bundled.json')).text();
    },
  },
};
