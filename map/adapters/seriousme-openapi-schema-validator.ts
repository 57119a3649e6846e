import type { Validator } from '@seriousme/openapi-schema-validator';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { schemasBeside } from './shared/files.ts';
import { valuesAt } from './shared/parser.ts';

const open = async (session: Session): Promise<Validator> => {
  const { Validator: Class } = await session.import<{ Validator: typeof Validator }>(
    '@seriousme/openapi-schema-validator',
  );
  const validator = new Class();
  for (const [path, schema] of schemasBeside(session)) await validator.addSpecRef(schema, path);
  return validator;
};

export const tool: AdapterText = {
  name: '@seriousme/openapi-schema-validator',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: '@seriousme/openapi-schema-validator',
  version: '2.11.0',
  homepage: 'https://github.com/seriousme/openapi-schema-validator',
  tracker: 'https://github.com/seriousme/openapi-schema-validator/issues',
  usage: "await new Validator().validate('openapi.json')",
  abilities: {
    // It compares the document with the official schema, and looks for the targets of references.
    lint: (session, questions) =>
      Promise.all(
        questions.map(async ({ file, level = 'document' }) => {
          if (level === 'example' || level === 'schema') return undefined;
          const validator = await open(session);
          const { valid, errors } = await validator.validate(session.file(file));
          if (valid) return [];
          if (!Array.isArray(errors)) return [{ message: `${errors}` }];
          return errors.map(({ message = '', instancePath }) => ({ message: `${instancePath} ${message}` }));
        }),
      ),
    resolve: async (session, pointers) => {
      const validator = await open(session);
      const { valid, errors } = await validator.validate(session.file('openapi.json'));
      if (!valid) throw new Refusal(JSON.stringify(errors));
      return valuesAt(validator.resolveRefs(), pointers);
    },
  },
};
