import type { Reported } from '../measure/abilities/diff.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';

/** It ends with 1 where a change is breaking, and where it reads no document. */
const compare = async ({ run }: Session, before: string, after: string): Promise<Reported> => {
  const { text } = await run(['openapi-diff', before, after], { mayFail: true });
  if (text.startsWith('Breaking')) return 'a breaking change';
  if (text.startsWith('Non breaking')) return 'a change';
  if (text.startsWith('No changes')) return 'no change';
  throw new Refusal(/Unsupported OpenAPI version[^\n\\"']+|\w*Error(?: \[\w+\])?: [^\n\\]+/.exec(text)?.[0] ?? text);
};

export const tool: AdapterText = {
  name: 'openapi-diff (Atlassian)',
  kind: 'linter',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-diff',
  version: '0.24.1',
  homepage: 'https://bitbucket.org/atlassian/openapi-diff',
  tracker: 'https://bitbucket.org/atlassian/openapi-diff/issues',
  notes: ['It reads OpenAPI 3.0 and 2.0.'],
  abilities: {
    load: async (session) => {
      await compare(session, 'openapi.json', 'openapi.json');
    },
    diff: async (session, questions) => {
      const answers: Reported[] = [];
      for (const { before, after } of questions) answers.push(await compare(session, before, after));
      return answers;
    },
  },
};
