/** The feature matrix, `features.json`. `features.schema.json` describes each member. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Verdict = 'right' | 'wrong' | 'ignored' | 'partly';

export type Kind = 'linter' | 'parser' | 'generator' | 'validator' | 'tester' | 'viewer' | 'other';

/** A test by its name in the source, which may have placeholders such as `%s` and `$name`. */
export interface TestReference {
  readonly file: string;
  readonly test: string;
}

export interface Feature {
  readonly id: string;
  readonly name: string;
  readonly use: string;
  readonly document: string;
  readonly pointers: readonly string[];
  readonly tests: readonly TestReference[];
}

export interface ToolVerdict {
  readonly feature: string;
  readonly verdict: Verdict;
  readonly date: string;
  readonly seen: string;
  readonly by?: TestReference;
}

/** What `bun run conformance` runs: a script of package.json, a test file, or one test of it. */
export type Run = { readonly script: string } | { readonly file: string } | TestReference;

export interface Tool {
  readonly name: string;
  readonly kind: Kind;
  readonly language: string;
  readonly registry: string;
  readonly package: string;
  readonly version: string;
  readonly needs?: string;
  readonly runs: readonly Run[];
  readonly verdicts: readonly ToolVerdict[];
  readonly notes: readonly string[];
}

export interface FeatureMatrix {
  readonly features: readonly Feature[];
  readonly tools: readonly Tool[];
}

export const readFeatureMatrix = (): FeatureMatrix =>
  JSON.parse(readFileSync(join(import.meta.dir, 'features.json'), 'utf8'));

/** All that `bun run conformance` runs with the tool, including the tests of its verdicts in `conformance/`, without duplicates. */
export const runsOf = ({ runs, verdicts }: Tool): Run[] => {
  const tests = verdicts.flatMap(({ by }) => (by?.file.startsWith('conformance/') ? [by] : []));
  const all = [...runs, ...tests].map((run) => [JSON.stringify(run), run] as const);
  return [...new Map(all).values()];
};
