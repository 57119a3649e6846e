import type Ajv from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import type { AdapterText } from '../measure/adapter.ts';
import { valueAt } from '../measure/operation.ts';
import { Refusal } from '../measure/session.ts';
import { schemasBeside } from './shared/files.ts';

export const tool: AdapterText = {
  name: 'Ajv',
  kind: 'schema',
  language: 'JavaScript',
  registry: 'npm',
  package: 'ajv',
  version: '8.20.0',
  with: { 'ajv-formats': '3.0.1' },
  homepage: 'https://ajv.js.org/',
  tracker: 'https://github.com/ajv-validator/ajv/issues',
  usage:
    "new Ajv2020({ strict: false }).addSchema(document, 'openapi.json').validate({ $ref: 'openapi.json#/…' }, body)",
  abilities: {
    // It knows schemas, and not which of them an operation has: a question about a media type, or one whose schema is behind a reference
    // of OpenAPI, is none to it.
    validate: async (session, questions) => {
      const { default: Ajv2020 } = await session.import<{ default: typeof Ajv }>('ajv/dist/2020.js');
      const { default: addFormats } = await session.import<{ default: FormatsPlugin }>('ajv-formats');
      const ajv = new Ajv2020({ strict: false, logger: false });
      addFormats(ajv);
      // Its caller gives it the URI of a document.
      const uri = `${session.document['$self'] ?? 'openapi.json'}`;
      ajv.addSchema(session.document, uri);
      for (const [path, schema] of schemasBeside(session)) ajv.addSchema({ $id: path, ...schema });
      return questions.map(({ target, contentType, body, schema }) => {
        const isSchema = valueAt(session.document, schema) !== undefined;
        if (!target.startsWith('/') || contentType !== 'application/json' || body === undefined || !isSchema)
          return undefined;
        try {
          const isAccepted = ajv.validate({ $ref: `${uri}#${encodeURI(schema)}` }, JSON.parse(body));
          return { isAccepted, ...(!isAccepted && { line: ajv.errorsText() }) };
        } catch (error) {
          throw new Refusal(`${error}`);
        }
      });
    },
  },
};
