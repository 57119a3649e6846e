import { join } from 'node:path';
import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { callGo, judgeByGo } from './shared/go.ts';

const driver = join(import.meta.dir, 'shared/go/oapi-codegen.go');

/**
 * With `nullable-type`, null differs from an omitted member. With `skip-prune`, a schema that only a webhook refers to stays. With the third, a
 * schema may have the name of another component, or of the response of an operation.
 */
const configuration = `package: client
generate: { models: true, client: true }
output: client/client.go
output-options: { nullable-type: true, skip-prune: true, resolve-type-name-collisions: true }
`;

const generate = async ({ run, file }: Session): Promise<void> => {
  await Promise.all([Bun.write(file('client/package.txt'), ''), Bun.write(file('oapi-codegen.yaml'), configuration)]);
  await run(['oapi-codegen', '-config', 'oapi-codegen.yaml', 'openapi.yaml']);
};

export const tool: AdapterText = {
  name: 'oapi-codegen',
  kind: 'generator',
  language: 'Go',
  registry: 'go',
  package: 'github.com/oapi-codegen/oapi-codegen/v2',
  version: '2.8.2',
  with: {
    'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen': '2.8.2',
    'github.com/oapi-codegen/runtime': '1.8.0',
    'github.com/oapi-codegen/nullable': '1.2.0',
  },
  homepage: 'https://github.com/oapi-codegen/oapi-codegen',
  tracker: 'https://github.com/oapi-codegen/oapi-codegen/issues',
  abilities: {
    load: generate,
    call: async (session, questions) => {
      await generate(session);
      return callGo(session, questions, driver);
    },
    // Responses have no types of their own.
    typeCheck: async (session, questions) => {
      await generate(session);
      return judgeByGo(session, questions, driver, ({ schema, operation = '', side, contentType }) => {
        if (schema !== undefined) return schema;
        if (side === 'response' || (contentType ?? 'application/json') !== 'application/json') return;
        return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}JSONRequestBody`;
      });
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/*.go');
    },
  },
};
