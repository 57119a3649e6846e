/**
 * Specmatic sends the examples of the document to the demo, and then generated requests, most of them invalid. Generated valid
 * requests may be refused: no schema can describe unused ids, the cursors of a list, or that a patch must have the id in
 * the path.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { demoToken as token } from '../src/tokens/sample.ts';
import { operations } from '../tests/support/document/document.ts';
import { exampleRequests } from './example-requests.ts';
import { type FreshDemo, startFreshDemo } from './fresh-demo.ts';
import { java, nameOf, type SpecmaticResult, testWithSpecmatic, validateWithSpecmatic } from './specmatic.ts';

// Skipped without Java, which Specmatic needs.
describe.skipIf(!java)('with Java', () => {
  let demo: FreshDemo;
  beforeAll(async () => {
    demo = await startFreshDemo();
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  const complete = exampleRequests(true);
  // An import with a rejected row succeeds only with the optional parameter `partial`.
  const short = exampleRequests(false).filter(({ example }) => example !== 'rejected');
  // Both lists have the same example of an operation without optional parameters.
  const named = new Map([...complete, ...short].map((example) => [nameOf(example), example]));
  const examples = [...named.values()];

  test('Specmatic finds every example of the document valid', async () => {
    const { output, exitCode } = await validateWithSpecmatic(examples);
    expect(output.match(/^All .* valid\.$/gm)).toContain(`All ${examples.length} example(s) are valid.`);
    expect(exitCode).toBe(0);
  });

  test('Specmatic gets the documented status and a valid response for every example', async () => {
    const result = await testWithSpecmatic({ url: demo.url, token, examples, isGenerative: false });
    expect(failuresOf(result)).toEqual([]);
    const sent = result.scenarios.map(({ name }) => /from the example '([^']+)'/.exec(name)?.[1]);
    expect(sent.sort()).toEqual([...named.keys()].sort());
    expect(result.exitCode).toBe(0);
  });

  describe('generating requests', () => {
    let result: SpecmaticResult;
    beforeAll(async () => {
      // One example of each body is enough to start from. No text is an invalid file of `partial=true`.
      const started = complete.filter(({ operationId }) => operationId !== 'importPlants');
      const examples = [...new Map(started.map((one) => [`${one.operationId} ${one.mediaType}`, one])).values()];
      result = await testWithSpecmatic({ url: demo.url, token, examples, isGenerative: true });
    });

    test('every operation with checked parameters or a body refuses each invalid request that Specmatic generates', () => {
      expect(failuresOf(result).filter(isInvalid)).toEqual([]);
      const invalid = result.scenarios.map(({ name }) => name).filter(isInvalid);
      const tried = invalid.map((name) => /Scenario: (\S+ \S+)/.exec(name)?.[1]?.replaceAll(/\((\w+):\w+\)/g, '{$1}'));
      // It does not send parameters that an operation does not have.
      const refusing = operations.filter(
        ({ responses: { 400: refusal } }) =>
          !(refusal && '$ref' in refusal && refusal.$ref.endsWith('/UnknownParameter')),
      );
      expect([...new Set(tried)].sort()).toEqual(
        refusing.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort(),
      );
    });

    test('no request that Specmatic generates gets a 5xx status', () => {
      expect(result.output.match(/^ {4}5\d\d [A-Z].*$/gm)).toBeNull();
    });

    // If one of these tests fails, Specmatic was fixed, and the test must be changed.
    test('Specmatic sends U+0000 although a pattern excludes it by its code', () => {
      expect(failuresOf(result)).toContainEqual(
        expect.stringMatching(/POST \/plants .* name is set to the longest possible string/),
      );
    });

    test('Specmatic adds an underscore to make a value invalid, although the pattern allows it', () => {
      expect(result.scenarios.some(({ name }) => allowed.test(name))).toBe(true);
    });

    test('Specmatic takes quoted text in a pattern literally', () => {
      expect(result.output.includes('WARNING: Please check the regex ^"[0-9A-Za-z_-]{16}"')).toBe(true);
    });
  });

  describe('without example files', () => {
    let failures: readonly string[];
    beforeAll(async () => {
      failures = failuresOf(await testWithSpecmatic({ url: demo.url, token, examples: [], isGenerative: false }));
    });

    // If one of these tests fails, Specmatic was fixed.
    test('Specmatic ignores the example of a parameter if the example of the response has another name', () => {
      expect(failures).toContainEqual(expect.stringContaining('GET /webhooks/(webhookId:string) -> 200'));
    });

    test('Specmatic expects the second media type of a response, but its request accepts any', () => {
      expect(failures).toContainEqual(
        expect.stringContaining("GET /events -> 200 with the request from the example 'live'"),
      );
    });
  });
});

const isInvalid = (name: string): boolean => name.startsWith('-ve') && !allowed.test(name);

/** A pattern that excludes one character, and the underscore that Specmatic adds to make a value invalid. */
const allowed = / invalid regex '\^\[\^[^\]]+\]\*_\$'/;

const failuresOf = ({ scenarios }: SpecmaticResult): string[] =>
  scenarios.filter(({ hasSucceeded }) => !hasSucceeded).map(({ name }) => name);
