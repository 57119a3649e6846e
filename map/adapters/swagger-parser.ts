import type SwaggerParser from '@apidevtools/swagger-parser';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { problemsOfError, valuesAt } from './shared/parser.ts';

const load = async ({ import: imported }: Session): Promise<typeof SwaggerParser> => {
  const { default: parser } = await imported<{ default: typeof SwaggerParser }>('@apidevtools/swagger-parser');
  return parser;
};

export const tool: AdapterText = {
  name: 'swagger-parser',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: '@apidevtools/swagger-parser',
  version: '13.1.0',
  isQuick: true,
  homepage: 'https://apitools.dev/swagger-parser/',
  tracker: 'https://github.com/APIDevTools/swagger-parser/issues',
  usage: "await SwaggerParser.validate('openapi.yaml'); await SwaggerParser.bundle('openapi.yaml')",
  abilities: {
    lint: async (session, questions) => {
      const parser = await load(session);
      // It compares the document with the official schema, which leaves schemas to JSON Schema, and follows references.
      return Promise.all(
        questions.map(({ file, level = 'document' }) =>
          level === 'document' || level === 'reference'
            ? problemsOfError(parser.validate(session.file(file)))
            : undefined,
        ),
      );
    },
    resolve: async (session, pointers) => {
      const parser = await load(session);
      const model = await parser.validate(session.file('openapi.yaml')).catch((error) => {
        throw new Refusal(`${error}`);
      });
      return valuesAt(model, pointers);
    },
    rewrite: async (session) => {
      const parser = await load(session);
      const bundled = await parser.bundle(session.file('openapi.yaml')).catch((error) => {
        throw new Refusal(`${error}`);
      });
      return JSON.stringify(bundled);
    },
  },
};
