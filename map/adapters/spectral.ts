import type { Problem } from '../measure/abilities/lint.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { escapeToken } from '../measure/operation.ts';
import { Refusal } from '../measure/session.ts';

interface Result {
  readonly severity: number;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

export const tool: AdapterText = {
  name: 'Spectral',
  kind: 'linter',
  language: 'JavaScript',
  registry: 'npm',
  package: '@stoplight/spectral-cli',
  version: '6.16.3',
  homepage: 'https://docs.stoplight.io/docs/spectral/',
  tracker: 'https://github.com/stoplightio/spectral/issues',
  notes: [
    'Its warnings do not count here. By default it only warns of a security scheme that does not exist, and also of a role on a bearer requirement, which OpenAPI 3.1 permits.',
  ],
  abilities: {
    lint: async (session, questions) => {
      await Bun.write(session.file('spectral.yaml'), 'extends: ["spectral:oas"]\n');
      const results: Problem[][] = [];
      for (const { file } of questions) {
        const command = ['spectral', 'lint', file, '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet'];
        const { text } = await session.run(command, { mayFail: true });
        results.push(problemsOf(text));
      }
      return results;
    },
  },
};

const problemsOf = (text: string): Problem[] => {
  if (!text.trimStart().startsWith('[')) throw new Refusal(text);
  const all: Result[] = JSON.parse(text.slice(0, text.lastIndexOf(']') + 1));
  return all
    .filter(({ severity }) => severity === 0)
    .map(({ message, path }) => ({ message, pointer: path.map((token) => `/${escapeToken(`${token}`)}`).join('') }));
};
