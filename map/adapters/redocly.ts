import type { Problem } from '../measure/abilities/lint.ts';
import type { AdapterText } from '../measure/adapter.ts';

interface Report {
  readonly problems: readonly {
    readonly severity: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

export const tool: AdapterText = {
  name: 'Redocly',
  kind: 'linter',
  language: 'JavaScript',
  registry: 'npm',
  package: '@redocly/cli',
  version: '2.77.0',
  homepage: 'https://redocly.com/docs/cli',
  tracker: 'https://github.com/Redocly/redocly-cli/issues',
  abilities: {
    lint: async (session, questions) => {
      // `spec` has the rules of the specification, and none of style.
      await Bun.write(session.file('redocly.yaml'), rules);
      const results: Problem[][] = [];
      for (const { file } of questions) {
        const { text } = await session.run(['redocly', 'lint', file, '--format', 'json'], { mayFail: true });
        const { problems }: Report = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
        results.push(
          problems
            .filter(({ severity }) => severity === 'error')
            .map(({ message, location: [place] }) => ({ message, pointer: place?.pointer?.slice(1) ?? '' })),
        );
      }
      return results;
    },
    rewrite: async ({ run, file }) => {
      await run(['redocly', 'bundle', 'openapi.yaml', '-o', 'bundled.yaml']);
      return Bun.file(file('bundled.yaml')).text();
    },
  },
};

const rules = `extends: [spec]
rules:
  security-defined: off
  no-invalid-media-type-examples: error
  no-invalid-schema-examples: error
  no-invalid-parameter-examples: error
`;
