import type { AdapterText } from '../measure/adapter.ts';
import { valueAt } from '../measure/operation.ts';
import { Refusal } from '../measure/session.ts';
import { schemasBeside } from './shared/files.ts';
import { hasNames } from './shared/schema-names.ts';

interface Validate {
  (instance: unknown): boolean;
  readonly errors?: readonly { readonly keywordLocation: string }[] | null;
}

interface Library {
  readonly validator: (schema: object, options: object) => Validate;
}

/** A document has members that are no keywords. */
const options = {
  includeErrors: true,
  allowUnusedKeywords: true,
  // Formats of OpenAPI are annotations.
  mode: 'lax',
  formatAssertion: false,
  $schemaDefault: 'https://json-schema.org/draft/2020-12/schema',
};

export const tool: AdapterText = {
  name: '@exodus/schemasafe',
  kind: 'schema',
  language: 'JavaScript',
  registry: 'npm',
  package: '@exodus/schemasafe',
  version: '1.3.0',
  homepage: 'https://github.com/ExodusMovement/schemasafe',
  tracker: 'https://github.com/ExodusMovement/schemasafe/issues',
  usage: "validator({ $ref: '#/…', ...document }, { allowUnusedKeywords: true, $schemaDefault })(body)",
  notes: [
    'It is not asked for names of schemas, such as `$anchor`, since it need not look for them outside of a schema.',
  ],
  abilities: {
    // It knows schemas, and not which of them an operation has.
    validate: async (session, questions) => {
      const library = await session.import<Library>('@exodus/schemasafe');
      return questions.map(({ target, contentType, body, schema }) => {
        const isSchema = valueAt(session.document, schema) !== undefined;
        if (
          !target.startsWith('/') ||
          contentType !== 'application/json' ||
          body === undefined ||
          !isSchema ||
          hasNames(session.document)
        )
          return undefined;
        const schemas = Object.fromEntries(schemasBeside(session));
        try {
          const validate = library.validator(
            { ...session.document, $ref: `#${encodeURI(schema)}` },
            { ...options, schemas },
          );
          const isAccepted = validate(JSON.parse(body));
          return { isAccepted, ...(!isAccepted && { line: `${validate.errors?.[0]?.keywordLocation}` }) };
        } catch (error) {
          throw new Refusal(`${error}`);
        }
      });
    },
  },
};
