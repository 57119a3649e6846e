import type { AdapterText } from '../measure/adapter.ts';
import { decidingLine } from '../measure/check.ts';
import { Refusal } from '../measure/session.ts';

export const tool: AdapterText = {
  name: 'Schemathesis',
  kind: 'tester',
  language: 'Python',
  registry: 'pypi',
  package: 'schemathesis',
  version: '4.32.5',
  homepage: 'https://schemathesis.io/',
  tracker: 'https://github.com/schemathesis/schemathesis/issues',
  abilities: {
    test: async ({ run }, url) => {
      // Without --url, the server of the document counts. The stateful phase follows links.
      const options = ['--max-examples', '20', '--seed', '1'];
      // The servers of the cases check only what the document says, so that they do not refuse a method with 405.
      const checks = [
        '--checks',
        'status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance',
      ];
      const { text, exitCode } = await run(
        ['schemathesis', 'run', `${url}/openapi.json`, ...options, ...checks, '--no-color'],
        { mayFail: true },
      );
      if (exitCode !== 0 && !text.includes('= FAILURES =')) throw new Refusal(text);
      const hasPassed = exitCode === 0;
      return { hasPassed, ...(!hasPassed && { line: decidingLine(text, /^- /) }) };
    },
  },
};
