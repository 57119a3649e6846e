import type { AdapterText } from '../measure/adapter.ts';
import { decidingLine } from '../measure/check.ts';
import { Refusal } from '../measure/session.ts';

export const tool: AdapterText = {
  name: 'openapi-fuzzer',
  kind: 'tester',
  language: 'Rust',
  registry: 'cargo',
  package: 'openapi-fuzzer',
  version: '0.2.0',
  homepage: 'https://github.com/matusf/openapi-fuzzer',
  tracker: 'https://github.com/matusf/openapi-fuzzer/issues',
  sentences: {
    'path-parameters': [
      'wrong',
      'It writes `/` and `?` in a value as they are, and reports the 404 of a right server for a path that the document does not have.',
      /POST-404/,
    ],
  },
  abilities: {
    test: async ({ run, file }, url) => {
      const { text, exitCode } = await run(['openapi-fuzzer', 'run', '-s', 'openapi.yaml', '-u', url], {
        mayFail: true,
      });
      if (!text.includes('METHOD')) throw new Refusal(decidingLine(text, /^called |Error:/));
      // It looks only for a status that the document does not have: that it finds none says nothing about the bodies.
      const hasPassed = exitCode === 0 ? undefined : false;
      // A file for each operation has a request that got such a status, which is in its name.
      const found = [...new Bun.Glob('results/*.json').scanSync(file(''))].sort();
      return { hasPassed, isToldServer: true, ...(found.length > 0 && { line: found.join(', ') }) };
    },
  },
};
