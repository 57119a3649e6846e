import { join } from 'node:path';
import type { Reported } from '../measure/abilities/diff.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal } from '../measure/session.ts';
import { runJava } from './shared/java-library.ts';

const driver = join(import.meta.dir, 'openapi-diff.java');

export const tool: AdapterText = {
  name: 'OpenAPI-diff',
  kind: 'linter',
  language: 'Java',
  registry: 'maven',
  package: 'org.openapitools.openapidiff:openapi-diff-core',
  version: '2.1.7',
  needs: ['java'],
  homepage: 'https://github.com/OpenAPITools/openapi-diff',
  tracker: 'https://github.com/OpenAPITools/openapi-diff/issues',
  usage: 'OpenApiCompare.fromLocations("openapi.json", "changed.json").isChanged()',
  abilities: {
    diff: async (session, questions) => {
      const answers = await runJava<{ readonly reported: Reported } | { readonly refusal: string }>(
        session,
        questions,
        driver,
      );
      return answers.map((answer) => {
        if (answer === null || 'refusal' in answer) throw new Refusal(answer?.refusal ?? 'no answer');
        return answer.reported;
      });
    },
  },
};
