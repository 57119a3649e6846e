import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { valuesAt } from './shared/parser.ts';

interface Parser {
  readonly validate: (path: string) => Promise<{ valid: boolean; errors?: readonly { message: string }[] }>;
  readonly dereference: (path: string) => Promise<unknown>;
}

const load = ({ import: imported }: Session) => imported<Parser>('@readme/openapi-parser');

export const tool: AdapterText = {
  name: '@readme/openapi-parser',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: '@readme/openapi-parser',
  version: '9.0.0',
  homepage: 'https://github.com/readmeio/oas/tree/main/packages/parser',
  tracker: 'https://github.com/readmeio/oas/issues',
  usage: "await validate('openapi.yaml'); await dereference('openapi.yaml')",
  abilities: {
    // It compares the document with the official schema, which leaves schemas to JSON Schema, and resolves references.
    lint: async (session, questions) => {
      const parser = await load(session);
      return Promise.all(
        questions.map(async ({ file, level = 'document' }) => {
          if (level !== 'document' && level !== 'reference') return undefined;
          const { valid, errors = [] } = await parser
            .validate(session.file(file))
            .catch((error) => ({ valid: false, errors: [{ message: `${error}` }] }));
          return valid ? [] : errors.map(({ message }) => ({ message }));
        }),
      );
    },
    resolve: async (session, pointers) => {
      const { dereference } = await load(session);
      const model = await dereference(session.file('openapi.yaml')).catch((error) => {
        throw new Refusal(`${error}`);
      });
      return valuesAt(model, pointers);
    },
  },
};
