import type { validate } from 'oas-validator';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { isInFiles } from './shared/files.ts';
import { problemsOfError } from './shared/parser.ts';

/** It follows references to files beside the source. With `resolve`, its promise for a document that it refuses stays open. */
const optionsFor = (session: Session, file = 'openapi.json') =>
  isInFiles(session) ? { resolve: true, source: session.file(file) } : {};

export const tool: AdapterText = {
  name: 'oas-validator',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: 'oas-validator',
  version: '5.0.8',
  homepage: 'https://github.com/Mermade/oas-kit',
  tracker: 'https://github.com/mermade/oas-kit/issues',
  usage: 'await validate(document, {})',
  notes: ['It reads OpenAPI 3.0 only.'],
  abilities: {
    load: async (session) => {
      const validator = await session.import<{ validate: typeof validate }>('oas-validator');
      await validator.validate(structuredClone(session.document), optionsFor(session)).catch((error) => {
        throw new Refusal(`${error}`);
      });
    },
    lint: async (session, questions) => {
      const validator = await session.import<{ validate: typeof validate }>('oas-validator');
      return Promise.all(
        questions.map(async ({ file, level = 'document' }) =>
          level === 'example'
            ? undefined
            : problemsOfError(validator.validate(await Bun.file(session.file(file)).json(), optionsFor(session, file))),
        ),
      );
    },
  },
};
