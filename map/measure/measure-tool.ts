/** Asks one version of a tool the checks of all cases, and keeps the answers that it gave before. */
import type { Adapter } from './adapter.ts';
import type { Case } from './case.ts';
import { environment, headCommit } from './environment.ts';
import { install } from './installation.ts';
import { measure } from './measure.ts';
import { versionOf } from './operation.ts';
import { type Answers, type Results, readResults, writeResults } from './results.ts';
import { hashOf } from './source-hash.ts';
import { verdictOf } from './verdict.ts';
import { forVersionsOf, isOfVersion } from './version.ts';

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
  const answers: Record<string, Answers> = { ...known?.answers };
  const date = new Date().toISOString().slice(0, 10);
  const results = (): Results => ({
    version,
    date,
    commit: headCommit(),
    environment,
    files: known?.files ?? {},
    answers,
  });
  const isDue = (one: Case) => isFresh || answers[one.id]?.hash !== hashOf(adapter, one, version);
  // Whether a version is read decides with which document the features of 3.0 are asked.
  const ordered = [...cases].sort((a, b) => Number(isOfVersion(b)) - Number(isOfVersion(a)));
  if (!ordered.some((one) => isDue(forVersionsOf(one, answers)))) return known ?? results();
  const installation = await install(adapter, version);
  for (const [index, one] of ordered.entries()) {
    const feature = forVersionsOf(one, answers);
    if (!isDue(feature)) continue;
    const startedAt = performance.now();
    const checks = await measure(adapter, installation, feature);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    answers[feature.id] = {
      hash: hashOf(adapter, feature, version),
      date,
      openapi: versionOf(feature.document),
      checks,
    };
    const verdict = verdictOf(checks)?.verdict ?? '–';
    console.error(`${adapter.id}@${version} ${index + 1}/${ordered.length} ${feature.id}: ${verdict} (${seconds} s)`);
    if (!isDry) await writeResults(adapter, results());
  }
  return results();
};
