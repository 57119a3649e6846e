import type { dereference, validate } from '@scalar/openapi-parser';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { isInFiles } from './shared/files.ts';
import { valuesAt } from './shared/parser.ts';

const load = ({ import: imported }: Session) =>
  imported<{ dereference: typeof dereference; validate: typeof validate }>('@scalar/openapi-parser');

export const tool: AdapterText = {
  name: '@scalar/openapi-parser',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: '@scalar/openapi-parser',
  version: '0.29.22',
  homepage: 'https://github.com/scalar/scalar/tree/main/packages/openapi-parser',
  tracker: 'https://github.com/scalar/scalar/issues',
  usage: 'await validate(document); dereference(document)',
  abilities: {
    // It compares the document with the official schema, and looks for the targets of references.
    lint: async (session, questions) => {
      const parser = await load(session);
      return Promise.all(
        questions.map(async ({ file, level = 'document' }) => {
          if (level === 'example' || level === 'schema' || isInFiles(session)) return undefined;
          const { errors = [] } = await parser.validate(await Bun.file(session.file(file)).json());
          return errors.map(({ message }) => ({ message }));
        }),
      );
    },
    resolve: async (session, pointers) => {
      if (isInFiles(session)) return pointers.map(() => undefined);
      const { schema, errors = [] } = (await load(session)).dereference(structuredClone(session.document));
      if (errors[0]) throw new Refusal(errors[0].message);
      return valuesAt(schema, pointers);
    },
  },
};
