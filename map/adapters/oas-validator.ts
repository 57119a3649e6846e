import type { validate } from 'oas-validator';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal } from '../measure/session.ts';
import { problemsOfError } from './shared/parser.ts';

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
    load: async ({ import: imported, document }) => {
      const validator = await imported<{ validate: typeof validate }>('oas-validator');
      await validator.validate(structuredClone(document), {}).catch((error) => {
        throw new Refusal(`${error}`);
      });
    },
    lint: async ({ import: imported, file: pathOf }, questions) => {
      const validator = await imported<{ validate: typeof validate }>('oas-validator');
      return Promise.all(
        questions.map(async ({ file, level = 'document' }) =>
          level === 'example'
            ? undefined
            : problemsOfError(validator.validate(await Bun.file(pathOf(file)).json(), {})),
        ),
      );
    },
  },
};
