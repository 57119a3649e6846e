import type { AdapterText } from '../measure/adapter.ts';
import { valueAt } from '../measure/operation.ts';
import { Refusal } from '../measure/session.ts';
import { schemasBeside } from './shared/files.ts';

interface Library {
  readonly Validator: new (
    schema: object,
    draft: '2020-12',
  ) => {
    readonly addSchema: (schema: object, uri: string) => void;
    readonly validate: (instance: unknown) => {
      readonly valid: boolean;
      readonly errors: readonly { error: string }[];
    };
  };
}

export const tool: AdapterText = {
  name: '@cfworker/json-schema',
  kind: 'schema',
  language: 'TypeScript',
  registry: 'npm',
  package: '@cfworker/json-schema',
  version: '4.1.6',
  homepage: 'https://github.com/cfworker/cfworker',
  tracker: 'https://github.com/cfworker/cfworker/issues',
  usage: "new Validator({ $ref: '#/…', ...document }, '2020-12').validate(body)",
  abilities: {
    // It knows schemas, and not which of them an operation has.
    validate: async (session, questions) => {
      const library = await session.import<Library>('@cfworker/json-schema');
      return questions.map(({ target, contentType, body, schema }) => {
        const isSchema = valueAt(session.document, schema) !== undefined;
        if (!target.startsWith('/') || contentType !== 'application/json' || body === undefined || !isSchema)
          return undefined;
        // Its caller knows the URI of a document.
        if ('$self' in session.document) return undefined;
        try {
          const validator = new library.Validator({ ...session.document, $ref: `#${encodeURI(schema)}` }, '2020-12');
          for (const [path, other] of schemasBeside(session)) validator.addSchema(other, path);
          const { valid, errors } = validator.validate(JSON.parse(body));
          return { isAccepted: valid, ...(!valid && { line: errors.map(({ error }) => error).join('; ') }) };
        } catch (error) {
          throw new Refusal(`${error}`);
        }
      });
    },
  },
};
