/** The report of `bun run conformance`: a row for each tool of `runs.ts`. */
import { nameOfPackage, type Run, type Tool } from './runs.ts';

/** The result of a script or of one test. */
export interface Result {
  readonly run: { readonly script: string } | { readonly file: string; readonly test: string };
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
}

export interface Row {
  readonly tool: string;
  readonly version: string;
  readonly ran: readonly string[];
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** Why tests were skipped. */
  readonly reason?: string;
  /** The duration of its scripts and tests, without what tests share, such as the start of a browser. */
  readonly seconds: number;
}

export interface Report {
  readonly rows: readonly Row[];
  /** The differences between `runs.ts` and the scripts and tests that ran. */
  readonly problems: readonly string[];
}

/** `versions` has the pinned versions by registry and package. */
export const reportOn = (
  tools: readonly Tool[],
  versions: ReadonlyMap<string, string>,
  results: readonly Result[],
): Report => ({
  rows: tools.map((tool) => rowOf(tool, versions.get(nameOfPackage(tool)) ?? '', resultsOf(tool, results))),
  problems: [
    ...tools.flatMap((tool) => problemsOf(tool, results)),
    ...results
      .filter(({ run }) => !tools.some(({ runs }) => runs.some((expected) => isOf(run, expected))))
      .map(({ run }) => `No tool in runs.ts has ${nameOf(run)}.`),
  ],
});

const resultsOf = ({ runs }: Tool, results: readonly Result[]): Result[] =>
  results.filter(({ run }) => runs.some((expected) => isOf(run, expected)));

const rowOf = ({ name, needs }: Tool, version: string, results: readonly Result[]): Row => {
  const isSkipped = results.some(({ outcome }) => outcome === 'skipped');
  return {
    tool: name,
    version,
    ran: [...new Set(results.map(({ run }) => ('script' in run ? run.script : run.file)))],
    verdict: verdictOf(results),
    ...(isSkipped && needs !== undefined && { reason: `It needs ${needs}.` }),
    seconds: Math.round(results.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10,
  };
};

const verdictOf = (results: readonly Result[]): Row['verdict'] => {
  if (results.length === 0 || results.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return results.some(({ outcome }) => outcome === 'passed') ? 'passed' : 'skipped';
};

const problemsOf = (tool: Tool, results: readonly Result[]): string[] => {
  const missing = tool.runs.filter((expected) => !results.some(({ run }) => isOf(run, expected)));
  const problems = missing.map((run) => `${tool.name} has ${nameOf(run)} in runs.ts, which did not run.`);
  const isSkipped = resultsOf(tool, results).some(({ outcome }) => outcome === 'skipped');
  return isSkipped && tool.needs === undefined
    ? [...problems, `${tool.name} was skipped, and runs.ts does not say what it needs.`]
    : problems;
};

/** Whether the run is the expected one, or one of its tests. */
const isOf = (run: Result['run'], expected: Run): boolean => {
  if ('script' in run || 'script' in expected)
    return 'script' in run && 'script' in expected && run.script === expected.script;
  return run.file === expected.file && run.test.startsWith(expected.startsWith ?? '');
};

const nameOf = (run: Run | Result['run']): string => {
  if ('script' in run) return `the script ${run.script}`;
  if ('test' in run) return `the test "${run.test}" of ${run.file}`;
  return run.startsWith ? `tests "${run.startsWith}…" of ${run.file}` : `the tests of ${run.file}`;
};
