/** Asks one version of a tool the checks of all cases, and keeps the answers that it gave before. */
import type { Adapter } from './adapter.ts';
import { type Case, controlFile } from './case.ts';
import { controlOf, failedOnly } from './control.ts';
import { environment, headCommit } from './environment.ts';
import { install } from './installation.ts';
import { measure, measureControl } from './measure.ts';
import { versionOf } from './operation.ts';
import { type Answers, checksOf, type Results, readResults, writeResults } from './results.ts';
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
  const controls = new Map(
    await Promise.all(cases.map(async (one): Promise<[string, Case | undefined]> => [one.id, await controlOf(one)])),
  );
  /** The control of the answers, and what it is asked with. Undefined if there is none, or if all answers are right. */
  const controlFor = (one: Case) => {
    const control = controls.get(one.id);
    const asked = control && failedOnly(adapter, one, answers[one.id]?.checks ?? []);
    if (control === undefined || asked === undefined) return undefined;
    return { control, asked, hash: hashOf(asked, control, version, controlFile) };
  };
  const isControlDue = (one: Case) => answers[one.id]?.control?.hash !== controlFor(one)?.hash;
  // Whether a version is read decides with which document the features of 3.0 are asked.
  const ordered = [...cases].sort((a, b) => Number(isOfVersion(b)) - Number(isOfVersion(a)));
  const isAnyDue = (one: Case) => isDue(one) || isControlDue(one);
  if (!ordered.some((one) => isAnyDue(forVersionsOf(one, answers)))) return known ?? results();
  const installation = await install(adapter, version);
  for (const [index, one] of ordered.entries()) {
    const feature = forVersionsOf(one, answers);
    if (!isAnyDue(feature)) continue;
    const startedAt = performance.now();
    if (isDue(feature))
      answers[feature.id] = {
        hash: hashOf(adapter, feature, version),
        date,
        openapi: versionOf(feature.document),
        checks: await measure(adapter, installation, feature),
      };
    const answer = answers[feature.id];
    if (answer === undefined) continue;
    const { control: _, ...withoutControl } = answer;
    const { control, asked, hash } = controlFor(feature) ?? {};
    answers[feature.id] =
      control === undefined || asked === undefined || hash === undefined
        ? withoutControl
        : { ...withoutControl, control: { hash, answers: await measureControl(asked, installation, control) } };
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const verdict = verdictOf(checksOf(answers[feature.id] ?? answer))?.verdict ?? '–';
    console.error(`${adapter.id}@${version} ${index + 1}/${ordered.length} ${feature.id}: ${verdict} (${seconds} s)`);
    if (!isDry) await writeResults(adapter, results());
  }
  return results();
};
