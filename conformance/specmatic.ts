/** Specmatic makes tests of a document, and of files with examples: a request each, and the response that it expects. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../tests/support/folder.ts';
import type { ExampleRequest } from './example-requests.ts';

/** Specmatic is a Java program. */
export const java = Bun.which('java');

export interface Scenario {
  readonly name: string;
  readonly hasSucceeded: boolean;
}

export interface SpecmaticResult {
  readonly scenarios: readonly Scenario[];
  readonly exitCode: number;
  readonly said: string;
}

export interface TestOptions {
  readonly url: string;
  readonly token: string;
  /** With none, it takes those within the document. */
  readonly examples: readonly ExampleRequest[];
  /** Whether it also generates requests: valid ones with other values, and invalid ones. */
  readonly isGenerative: boolean;
}

/** Sends the examples, and validates the responses against the document. */
export const testWithSpecmatic = ({ url, token, examples, isGenerative }: TestOptions): Promise<SpecmaticResult> => {
  const isFromFiles = examples.length > 0;
  // Strictly, it sends nothing for a response that has no file.
  const strict = isFromFiles && !isGenerative ? ['--strict'] : [];
  const args = ['test', ...strict, '--testBaseURL', url, '--timeout-in-ms', '30000', '--examples'];
  return run(args, examples, [document], {
    bearerAuth: token,
    SPECMATIC_GENERATIVE_TESTS: `${isGenerative}`,
    IGNORE_INLINE_EXAMPLES: `${isFromFiles}`,
  });
};

/** Validates the examples, also those within the document, against its schemas. */
export const validateWithSpecmatic = (examples: readonly ExampleRequest[]): Promise<SpecmaticResult> =>
  run(['examples', 'validate', '--spec-file', document, '--examples-to-validate', 'BOTH', '--examples-dir'], examples);

/** The name of the file of an example. */
export const nameOf = ({ operationId, example, mediaType, query, headers }: ExampleRequest): string =>
  [operationId, example, mediaType?.replace('/', '-'), ...Object.keys(query), ...Object.keys(headers)]
    .filter((part) => part !== undefined)
    .join('.');

const document = join(import.meta.dir, '../openapi.yaml');

const run = async (
  args: readonly string[],
  examples: readonly ExampleRequest[],
  more: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<SpecmaticResult> => {
  using folder = temporaryFolder();
  mkdirSync(folder.file('examples'));
  for (const example of examples)
    await Bun.write(folder.file(`examples/${nameOf(example)}.json`), JSON.stringify(toFile(example)));
  // It runs for seconds: code that is optimized well takes longer to make than it saves.
  const program = [java ?? 'java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', jar];
  const child = Bun.spawn([...program, ...args, folder.file('examples'), ...more], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, SPECMATIC_DISABLE_TELEMETRY: 'true', ...settings },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [said, complained, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { scenarios: scenariosOf(said), exitCode, said: said + complained };
};

const jar = join(import.meta.dir, 'node_modules/specmatic/specmatic.jar');

const toFile = ({ method, path, query, headers, mediaType, body, response }: ExampleRequest): object => ({
  'http-request': {
    method,
    path,
    query,
    headers: { ...headers, ...(mediaType !== undefined && { 'Content-Type': mediaType }) },
    body,
  },
  'http-response': {
    status: response.status,
    ...(response.mediaType !== undefined && { headers: { 'Content-Type': response.mediaType } }),
    body: response.body,
  },
});

const scenariosOf = (said: string): Scenario[] =>
  [...said.matchAll(/^((?:[+-]ve {2})?Scenario: .*) has (SUCCEEDED|FAILED)$/gm)].map(([, name = '', verdict]) => ({
    name,
    hasSucceeded: verdict === 'SUCCEEDED',
  }));
