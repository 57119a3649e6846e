import type { AdapterText } from '../map/adapter.ts';
import { decidingLine } from '../map/check.ts';
import { Refusal } from '../map/session.ts';

export const tool: AdapterText = {
  name: 'openapi-fuzzer',
  kind: 'tester',
  language: 'Rust',
  registry: 'cargo',
  package: 'openapi-fuzzer',
  version: '0.2.0',
  homepage: 'https://github.com/matusf/openapi-fuzzer',
  tracker: 'https://github.com/matusf/openapi-fuzzer/issues',
  abilities: {
    test: async ({ run }, url) => {
      const { text, exitCode } = await run(['openapi-fuzzer', 'run', '-s', 'openapi.yaml', '-u', url], {
        mayFail: true,
      });
      if (!text.includes('METHOD')) throw new Refusal(text);
      // It looks only for a status that the document does not have: that it finds none says nothing about the bodies.
      return { hasPassed: exitCode === 0 ? undefined : false, line: decidingLine(text, /failed/) };
    },
  },
};
