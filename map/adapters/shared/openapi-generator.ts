/** OpenAPI Generator. Each target is a tool of the map, since each has its own templates. */
import type { CallQuestion } from '../../measure/abilities/call.ts';
import type { AdapterText } from '../../measure/adapter.ts';
import { Refusal, type Session } from '../../measure/session.ts';

export const openapiGenerator = {
  kind: 'generator',
  registry: 'maven',
  package: 'org.openapitools:openapi-generator-cli',
  version: '7.25.0',
  homepage: 'https://openapi-generator.tech/',
  tracker: 'https://github.com/OpenAPITools/openapi-generator/issues',
} as const satisfies Partial<AdapterText>;

/** The code is in `client/`. */
export const generateWith = async (
  { run }: Session,
  target: string,
  options: readonly string[],
  input = 'openapi.yaml',
): Promise<void> => {
  const command = ['openapi-generator-cli', 'generate', '-i', input, '-g', target, '-o', 'client', ...options];
  const { text, exitCode } = await run(command, { mayFail: true });
  // The list of what is wrong. Before it is the log of the reader of older documents, which it tries too.
  if (exitCode !== 0) throw new Refusal(/^Errors:[\s\S]*?\n\n/m.exec(text)?.[0].replaceAll(/\s+/g, ' ') ?? text);
};

/** The document at its URL, by which the tool resolves a relative server. */
export const urlOfDocument = (questions: readonly CallQuestion[]): string =>
  `${new URL(questions[0]?.baseUrl ?? '').origin}/openapi.json`;
