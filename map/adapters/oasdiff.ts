import type { Reported } from '../measure/abilities/diff.ts';
import type { AdapterText } from '../measure/adapter.ts';

export const tool: AdapterText = {
  name: 'oasdiff',
  kind: 'linter',
  language: 'Go',
  registry: 'go',
  package: 'github.com/oasdiff/oasdiff',
  version: '1.37.0',
  homepage: 'https://www.oasdiff.com/',
  tracker: 'https://github.com/oasdiff/oasdiff/issues',
  abilities: {
    diff: async ({ run }, questions) => {
      const compare = async (command: string, before: string, after: string) => {
        const { text } = await run(['oasdiff', command, before, after, '--format', 'json']);
        return Object.keys(JSON.parse(text)).length > 0;
      };
      const answers: Reported[] = [];
      for (const { before, after } of questions) {
        const isBreaking = await compare('breaking', before, after);
        const isChanged = isBreaking || (await compare('diff', before, after));
        answers.push(isBreaking ? 'a breaking change' : isChanged ? 'a change' : 'no change');
      }
      return answers;
    },
  },
};
