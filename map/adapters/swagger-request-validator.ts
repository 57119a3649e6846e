import { join } from 'node:path';
import type { Judgement } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal } from '../measure/session.ts';
import { runJava } from './shared/java-library.ts';

const driver = join(import.meta.dir, './swagger-request-validator.java');

export const tool: AdapterText = {
  name: 'swagger-request-validator',
  kind: 'validator',
  language: 'Java',
  registry: 'maven',
  package: 'com.atlassian.oai:swagger-request-validator-core',
  version: '2.46.0',
  needs: ['java'],
  homepage: 'https://bitbucket.org/atlassian/swagger-request-validator',
  tracker: 'https://bitbucket.org/atlassian/swagger-request-validator/issues',
  usage:
    'createForSpecificationUrl("openapi.yaml").withLevelResolver(LevelResolverFactory.withAdditionalPropertiesIgnored()).build()',
  abilities: {
    validate: async (session, questions) => {
      const answers = await runJava<Judgement | { readonly refusal: string }>(session, questions, driver);
      return questions.map((_, index) => {
        const answer = answers[index] ?? undefined;
        if (answer !== undefined && 'refusal' in answer) throw new Refusal(answer.refusal);
        return answer;
      });
    },
  },
};
