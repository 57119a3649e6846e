/** Specmatic generates tests from a document and from example files. A test is a request with the expected response. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
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
  readonly output: string;
}

export interface TestOptions {
  readonly url: string;
  readonly token: string;
  /** If empty, Specmatic uses the examples in the document. */
  readonly examples: readonly ExampleRequest[];
  /** Whether it also generates requests: valid ones with other values, and invalid ones. */
  readonly isGenerative: boolean;
}

/** Sends the examples, and validates the responses against the document. */
export const testWithSpecmatic = async ({
  url,
  token,
  examples,
  isGenerative,
}: TestOptions): Promise<SpecmaticResult> => {
  using folder = temporaryFolder();
  const isFromFiles = examples.length > 0;
  // With --strict, Specmatic sends no request for a response without an example file.
  const strict = isFromFiles && !isGenerative ? ['--strict'] : [];
  const args = ['test', ...strict, '--testBaseURL', url, '--timeout-in-ms', '30000', '--examples'];
  const described = isGenerative ? await withFewerParameters(folder.file('openapi.yaml')) : document;
  return await run(args, isGenerative ? examples.map(withFewerValues) : examples, [described], {
    bearerAuth: token,
    SPECMATIC_GENERATIVE_TESTS: `${isGenerative}`,
    IGNORE_INLINE_EXAMPLES: `${isFromFiles}`,
  });
};

/** Validates these examples, and those in the document, against the schemas of the document. */
export const validateWithSpecmatic = (examples: readonly ExampleRequest[]): Promise<SpecmaticResult> =>
  run(['examples', 'validate', '--spec-file', document, '--examples-to-validate', 'BOTH', '--examples-dir'], examples);

/** The name of the example file, without its extension. */
export const nameOf = ({ operationId, example, mediaType, query, headers }: ExampleRequest): string =>
  [operationId, example, mediaType?.replace('/', '-'), ...Object.keys(query), ...Object.keys(headers)]
    .filter((part) => part !== undefined)
    .join('.');

const document = join(import.meta.dir, '../openapi/openapi.yaml');

const dropped = ['search', 'count'];

const withFewerValues = (example: ExampleRequest): ExampleRequest =>
  example.operationId === 'listPlants'
    ? {
        ...example,
        query: Object.fromEntries(Object.entries(example.query).filter(([name]) => !dropped.includes(name))),
      }
    : example;

/**
 * Writes the document without `search` and `count` of `GET /plants`: Specmatic sends each combination of optional parameters with each
 * invalid value, which takes minutes for seven of them. The export and the deliveries have both. Returns the path.
 */
const withFewerParameters = async (path: string): Promise<string> => {
  const copy = parse(await Bun.file(document).text(), { intAsBigInt: true });
  const { get } = copy.paths['/plants'];
  get.parameters = get.parameters.filter(({ name, $ref = '' }: { readonly name?: string; readonly $ref?: string }) =>
    dropped.every((one) => name !== one && !$ref.endsWith(`/${one}`)),
  );
  await Bun.write(path, stringify(copy));
  return path;
};

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
  // A run takes seconds: the optimizing compiler would take more time than it saves.
  const program = [java ?? 'java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', jar];
  const child = Bun.spawn([...program, ...args, folder.file('examples'), ...more], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, SPECMATIC_DISABLE_TELEMETRY: 'true', ...settings },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { scenarios: scenariosOf(output), exitCode, output: output + errors };
};

const jar = join(import.meta.dir, 'node_modules/specmatic/specmatic.jar');

const toFile = ({ method, path, query, headers, mediaType, body, response }: ExampleRequest): object => ({
  'http-request': {
    method,
    path,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, withSecond(value)])),
    headers: { ...headers, ...(mediaType !== undefined && { 'Content-Type': mediaType }) },
    body,
  },
  'http-response': {
    status: response.status,
    ...(response.mediaType !== undefined && { headers: { 'Content-Type': response.mediaType } }),
    body: response.body,
  },
});

/** Specmatic takes an array of one value for the value, and refuses its example. So it gets another one. */
const withSecond = (value: string | readonly string[]): string | readonly string[] =>
  typeof value === 'string' || value.length > 1 ? value : [...value, 'another'];

const scenariosOf = (output: string): Scenario[] =>
  [...output.matchAll(/^((?:[+-]ve {2})?Scenario: .*) has (SUCCEEDED|FAILED)$/gm)].map(([, name = '', verdict]) => ({
    name,
    hasSucceeded: verdict === 'SUCCEEDED',
  }));
