/** The report of `bun run conformance`: a row for each tool of `features.json` that it runs. */
import { type Run, runsOf, type TestReference, type Tool, type ToolVerdict } from './features.ts';

/** The result of a script or of one test. */
export interface Result {
  readonly run: { readonly script: string } | TestReference;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
}

export interface Row {
  readonly tool: string;
  readonly version: string;
  readonly ran: readonly string[];
  /** A known defect is a test that passed because the tool still has the defect. */
  readonly verdict: 'passed' | 'failed' | 'known defect' | 'skipped';
  /** The features of the known defects, by their ids. */
  readonly defects: readonly string[];
  /** Why tests were skipped. */
  readonly reason?: string;
  /** The duration of its scripts and tests, without what tests share, such as the start of a browser. */
  readonly seconds: number;
}

export interface Report {
  readonly rows: readonly Row[];
  /** The differences between `features.json` and the scripts and tests that ran. */
  readonly problems: readonly string[];
}

export const reportOn = (tools: readonly Tool[], results: readonly Result[]): Report => {
  const running = tools.filter((tool) => runsOf(tool).length > 0);
  return {
    rows: running.map((tool) => rowOf(tool, resultsOf(tool, results))),
    problems: [
      ...running.flatMap((tool) => problemsOf(tool, results)),
      ...results
        .filter(({ run }) => !running.some((tool) => runsOf(tool).some((expected) => isOf(run, expected))))
        .map(({ run }) => `No tool in features.json has ${nameOf(run)}.`),
    ],
  };
};

const resultsOf = (tool: Tool, results: readonly Result[]): Result[] =>
  results.filter(({ run }) => runsOf(tool).some((expected) => isOf(run, expected)));

const rowOf = (tool: Tool, results: readonly Result[]): Row => {
  const { name, version, needs, verdicts } = tool;
  const isSkipped = results.some(({ outcome }) => outcome === 'skipped');
  const defects = verdicts.filter((verdict) => isKnownDefect(verdict, results)).map(({ feature }) => feature);
  return {
    tool: name,
    version,
    ran: [...new Set(results.map(({ run }) => ('script' in run ? run.script : run.file)))],
    verdict: verdictOf(results, defects),
    defects,
    ...(isSkipped && needs !== undefined && { reason: `It needs ${needs}.` }),
    seconds: Math.round(results.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10,
  };
};

const verdictOf = (results: readonly Result[], defects: readonly string[]): Row['verdict'] => {
  if (results.length === 0 || results.some(({ outcome }) => outcome === 'failed')) return 'failed';
  if (!results.some(({ outcome }) => outcome === 'passed')) return 'skipped';
  return defects.length > 0 ? 'known defect' : 'passed';
};

const isKnownDefect = ({ verdict, by }: ToolVerdict, results: readonly Result[]): boolean =>
  verdict !== 'right' && by !== undefined && results.some(({ run, outcome }) => outcome === 'passed' && isOf(run, by));

const problemsOf = (tool: Tool, results: readonly Result[]): string[] => {
  const missing = runsOf(tool).filter((expected) => !results.some(({ run }) => isOf(run, expected)));
  const problems = missing.map((run) => `${tool.name} has ${nameOf(run)} in features.json, which did not run.`);
  const isSkipped = resultsOf(tool, results).some(({ outcome }) => outcome === 'skipped');
  return isSkipped && tool.needs === undefined
    ? [...problems, `${tool.name} was skipped, and features.json does not say what it needs.`]
    : problems;
};

/** Whether the run is the expected one, or one of the tests that it names. */
const isOf = (run: Result['run'], expected: Run): boolean => {
  if ('script' in run || 'script' in expected)
    return 'script' in run && 'script' in expected && run.script === expected.script;
  return run.file === expected.file && (!('test' in expected) || patternOf(expected.test).test(run.test));
};

/** Matches the names that a name with placeholders can produce. */
const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .split(/%[a-zA-Z#]|\$[\w.]+/)
      .map(RegExp.escape)
      .join('.*')}$`,
    's',
  );

const nameOf = (run: Run): string => {
  if ('script' in run) return `the script ${run.script}`;
  return 'test' in run ? `the test "${run.test}" of ${run.file}` : `the tests of ${run.file}`;
};
