/** Asks one version of a tool the checks of all cases, and keeps the answers that it gave before. */
import type { Adapter } from './adapter.ts';
import type { Case } from './case.ts';
import { environment, headCommit } from './environment.ts';
import { install } from './installation.ts';
import { measure } from './measure.ts';
import { type Answers, type Results, readResults, writeResults } from './results.ts';
import { hashOf } from './source-hash.ts';
import { verdictOf } from './verdict.ts';

export interface Measuring {
  readonly version: string;
  readonly cases: readonly Case[];
  /** Measures also what has not changed. */
  readonly isFresh: boolean;
  /** The answers are not written. */
  readonly isDry: boolean;
}

/** All answers of the version. Throws NotInstalled, or an error of the adapter; the answers until then are written. */
export const measureTool = async (
  adapter: Adapter,
  { version, cases, isFresh, isDry }: Measuring,
): Promise<Results> => {
  const before = readResults(adapter, version);
  const known = before?.version === version ? before : undefined;
  const due = cases.filter((one) => isFresh || known?.answers[one.id]?.hash !== hashOf(adapter, one, version));
  const answers: Record<string, Answers> = { ...known?.answers };
  const date = new Date().toISOString().slice(0, 10);
  const results = (): Results => ({ version, date, commit: headCommit(), environment, answers });
  if (due.length === 0) return known ?? results();
  const installation = await install(adapter, version);
  for (const [index, feature] of due.entries()) {
    const startedAt = performance.now();
    const checks = await measure(adapter, installation, feature);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    answers[feature.id] = { hash: hashOf(adapter, feature, version), date, checks };
    const verdict = verdictOf(checks)?.verdict ?? '–';
    console.error(`${adapter.id}@${version} ${index + 1}/${due.length} ${feature.id}: ${verdict} (${seconds} s)`);
    if (!isDry) await writeResults(adapter, results());
  }
  return results();
};
