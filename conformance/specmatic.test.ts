/**
 * Specmatic sends the examples of the document to the demo, and then generated requests, most of them invalid. Generated valid
 * requests may be refused: no schema can describe free ids, the cursors of this list, or that the id of a patch must be that
 * of the path.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { demoToken as token } from '../src/domain/fixture.ts';
import { operations } from '../tests/support/document.ts';
import { exampleRequests } from './example-requests.ts';
import { type FreshDemo, startFreshDemo } from './fresh-demo.ts';
import { java, nameOf, type SpecmaticResult, testWithSpecmatic, validateWithSpecmatic } from './specmatic.ts';

// Without Java there is no Specmatic.
describe.skipIf(!java)('with Java', () => {
  let demo: FreshDemo;
  beforeAll(async () => {
    demo = await startFreshDemo();
  }, 30_000);
  afterAll(() => demo[Symbol.asyncDispose]());

  const complete = exampleRequests(true);
  // Where no parameter is optional, both have the same.
  const named = new Map([...complete, ...exampleRequests(false)].map((example) => [nameOf(example), example]));
  const examples = [...named.values()];

  test('Specmatic finds every example of the document valid', async () => {
    const { said, exitCode } = await validateWithSpecmatic(examples);
    expect(said.match(/^All .* valid\.$/gm)).toContain(`All ${examples.length} example(s) are valid.`);
    expect(exitCode).toBe(0);
  }, 60_000);

  test('Specmatic gets the documented status, and a valid response, to every example', async () => {
    const result = await testWithSpecmatic({ url: demo.url, token, examples, isGenerative: false });
    expect(failuresOf(result)).toEqual([]);
    const sent = result.scenarios.map(({ name }) => /from the example '([^']+)'/.exec(name)?.[1]);
    expect(sent.sort()).toEqual([...named.keys()].sort());
    expect(result.exitCode).toBe(0);
  }, 60_000);

  describe('generating requests', () => {
    let result: SpecmaticResult;
    beforeAll(async () => {
      // One example of each body is enough to start from.
      const examples = [...new Map(complete.map((one) => [`${one.operationId} ${one.mediaType}`, one])).values()];
      result = await testWithSpecmatic({ url: demo.url, token, examples, isGenerative: true });
    }, 120_000);

    test('every operation that can refuse a request refuses each invalid one that Specmatic makes', () => {
      expect(failuresOf(result).filter(isInvalid)).toEqual([]);
      const invalid = result.scenarios.map(({ name }) => name).filter(isInvalid);
      const tried = invalid.map((name) => /Scenario: (\S+ \S+)/.exec(name)?.[1]?.replaceAll(/\((\w+):\w+\)/g, '{$1}'));
      const refusing = operations.filter(({ responses }) => '400' in responses);
      expect([...new Set(tried)].sort()).toEqual(
        refusing.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort(),
      );
    });

    test('no request that Specmatic makes is answered with a 5xx status', () => {
      expect(result.said.match(/^ {4}5\d\d [A-Z].*$/gm)).toBeNull();
    });

    // As in tools.test.ts: a test that fails here is good news.
    test('Specmatic sends U+0000 where a pattern excludes it by its code', () => {
      expect(failuresOf(result)).toContainEqual(
        expect.stringMatching(/POST \/plants .* name is set to the longest possible string/),
      );
    });

    test('Specmatic sends a value with an underscore at its end as one that a pattern excludes', () => {
      expect(result.scenarios.some(({ name }) => allowed.test(name))).toBe(true);
    });

    test('Specmatic takes what is between quotes in a pattern literally', () => {
      expect(result.said.includes('WARNING: Please check the regex ^"(token|address)"')).toBe(true);
    });
  });

  describe('without example files', () => {
    let failures: readonly string[];
    beforeAll(async () => {
      failures = failuresOf(await testWithSpecmatic({ url: demo.url, token, examples: [], isGenerative: false }));
    }, 60_000);

    // As above.
    test('Specmatic leaves out the example of a parameter whose name is not that of the example of the response', () => {
      expect(failures).toContainEqual(expect.stringContaining('GET /webhooks/(webhookId:string) -> 200'));
    });

    test('Specmatic expects the second media type of a response and asks for any', () => {
      expect(failures).toContainEqual(
        expect.stringContaining("GET /events -> 200 with the request from the example 'live'"),
      );
    });
  });
});

const isInvalid = (name: string): boolean => name.startsWith('-ve') && !allowed.test(name);

/** A pattern that excludes one character, and the underscore that Specmatic adds to have an invalid value. */
const allowed = / invalid regex '\^\[\^[^\]]+\]\*_\$'/;

const failuresOf = ({ scenarios }: SpecmaticResult): string[] =>
  scenarios.filter(({ hasSucceeded }) => !hasSucceeded).map(({ name }) => name);
