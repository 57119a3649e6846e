/** One test of a JUnit report that Bun wrote. */
export interface TestCase {
  /** Its path, relative to the folder in which the tests ran. */
  readonly file: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** The name of the error, such as `AssertionError`, or `TimeoutError` for a test that took too long; empty if it passed. */
  readonly error: string;
  /** The failure message, with its stack if there is one; empty if it passed. */
  readonly message: string;
  readonly seconds: number;
}

export const readTestCases = (report: string): TestCase[] =>
  [...report.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, test = '', content = '']) => {
    const [, failure, stack] =
      /<(?:failure|error)\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:failure|error)>)/.exec(content) ?? [];
    return {
      file: attribute(test, 'file'),
      name: attribute(test, 'name'),
      outcome: failure !== undefined ? 'failed' : content.includes('<skipped') ? 'skipped' : 'passed',
      error: attribute(failure ?? '', 'type'),
      message: decode(stack ?? '').trim() || attribute(failure ?? '', 'message'),
      seconds: Number(attribute(test, 'time')),
    };
  });

/** The last one is that of the store, for a PostgreSQL that did not answer within the limit of a request. */
const errorsOfPace = ['TimeoutError', 'PaceError', 'DeadlineExceeded'];

/**
 * Whether a run of tests failed by its pace alone: each test that failed took too long, by a time limit or by its control. `output` is what
 * the run printed: the report lacks a file that cannot be loaded.
 */
export const hasFailedByPace = (testCases: readonly TestCase[], output: string): boolean => {
  const failures = testCases.filter(({ outcome }) => outcome === 'failed');
  const isLoaded = !/^ *\d+ errors?$/m.test(output);
  return isLoaded && failures.length > 0 && failures.every(({ error }) => errorsOfPace.includes(error));
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decode = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, word) => (code ? String.fromCodePoint(code) : (entities[word] ?? '')));

const attribute = (attributes: string, name: string): string =>
  decode(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
