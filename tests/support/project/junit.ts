/** One test of a JUnit report that Bun wrote. */
export interface TestCase {
  /** Its path, relative to the folder in which the tests ran. */
  readonly file: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** The failure message; empty if it passed. */
  readonly message: string;
  readonly seconds: number;
}

export const readTestCases = (report: string): TestCase[] =>
  [...report.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, test = '', content = '']) => {
    const [, failure] = /<(?:failure|error)\b([^>]*)>/.exec(content) ?? [];
    return {
      file: attribute(test, 'file'),
      name: attribute(test, 'name'),
      outcome: failure !== undefined ? 'failed' : content.includes('<skipped') ? 'skipped' : 'passed',
      message: attribute(failure ?? '', 'message'),
      seconds: Number(attribute(test, 'time')),
    };
  });

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const attribute = (attributes: string, name: string): string => {
  const text = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, word) =>
    code ? String.fromCodePoint(code) : (entities[word] ?? ''),
  );
};
