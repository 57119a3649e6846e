import type { Problem } from '../measure/abilities/lint.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal } from '../measure/session.ts';

interface Mistake {
  readonly message: string;
  /** The keyword of the schema that the example does not match. Absent if it cannot compare them. */
  readonly keyword?: string;
  /** A JSON Pointer to the example, and one from there to the value. */
  readonly examplePath?: string;
  readonly instancePath?: string;
}

export const tool: AdapterText = {
  name: 'openapi-examples-validator',
  kind: 'linter',
  language: 'JavaScript',
  registry: 'npm',
  package: 'openapi-examples-validator',
  version: '7.1.0',
  homepage: 'https://github.com/codekie/openapi-examples-validator',
  tracker: 'https://github.com/codekie/openapi-examples-validator/issues',
  sentences: {
    document: [
      'wrong',
      'It refuses each document with a discriminator that has a `mapping`: `mapping is not supported`.',
      /mapping is not supported/,
    ],
    'const-one-of': [
      'wrong',
      'It refuses each example of a schema with a discriminator that has a `mapping`, also a valid one: `mapping is not supported`.',
      /mapping is not supported/,
    ],
  },
  abilities: {
    // It compares examples with their schemas, and reads nothing else.
    lint: async (session, questions) => {
      const results: (Problem[] | undefined)[] = [];
      for (const { file, level = 'example' } of questions) {
        if (level === 'example') {
          const { text, exitCode } = await session.run(['openapi-examples-validator', file], { mayFail: true });
          const problems = problemsIn(text);
          // It has crashed.
          if (exitCode !== 0 && problems.length === 0) throw new Refusal(text);
          results.push(problems);
        } else results.push(undefined);
      }
      return results;
    },
  },
};

/** The list of mistakes is the last thing that it prints. Without mistakes there is none. */
const problemsIn = (text: string): Problem[] => {
  const start = text.search(/^\[$/m);
  const mistakes: Mistake[] = start < 0 ? [] : JSON.parse(text.slice(start, text.lastIndexOf(']') + 1));
  // It says the same of an example that is right.
  const failure = mistakes.find(({ keyword }) => keyword === undefined);
  if (failure) throw new Refusal(failure.message);
  return mistakes.map(({ message, examplePath = '', instancePath = '' }) => ({
    message,
    pointer: `${examplePath}${instancePath}`,
  }));
};
