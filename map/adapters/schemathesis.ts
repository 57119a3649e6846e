import type { AdapterText } from '../measure/adapter.ts';
import { decidingLine } from '../measure/check.ts';
import { escapeToken, valueAt } from '../measure/operation.ts';
import { Refusal, type Session } from '../measure/session.ts';

/** It has no serializer of NDJSON, and its documentation says to register one. */
const addSerializer = async ({ document, file }: Session): Promise<void> => {
  const type = 'application/x-ndjson';
  const hasType = (node: unknown, name = ''): boolean =>
    typeof node === 'object' &&
    node !== null &&
    ((name === 'requestBody' && valueAt(node, `/content/${escapeToken(type)}`) !== undefined) ||
      Object.entries(node).some(([key, member]) => hasType(member, key)));
  if (!hasType(document['paths'])) return;
  const hooks = `import json
import schemathesis


@schemathesis.serializer("${type}")
def lines(ctx, value):
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode()
`;
  await Promise.all([Bun.write(file('hooks.py'), hooks), Bun.write(file('schemathesis.toml'), 'hooks = "hooks"\n')]);
};

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
    test: async (session, url) => {
      await addSerializer(session);
      // Without --url, the server of the document counts. The stateful phase follows links.
      const options = ['--max-examples', '20', '--seed', '1'];
      // The servers of the cases check only what the document says, so that they do not refuse a method with 405.
      const checks = [
        '--checks',
        'status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance',
      ];
      const { text, exitCode } = await session.run(
        ['schemathesis', 'run', `${url}/openapi.json`, ...options, ...checks, '--no-color'],
        { mayFail: true },
      );
      if (exitCode !== 0 && !text.includes('= FAILURES =')) throw new Refusal(text);
      const hasPassed = exitCode === 0;
      return { hasPassed, ...(!hasPassed && { line: decidingLine(text, /^- /) }) };
    },
  },
};
