/** The data of the map, which the site and the report show. */

import { type Adapter, type AdapterText, type Kind, readAdapters } from './adapter.ts';
import { type Case, type CaseText, readCases } from './case.ts';
import type { CheckResult } from './check.ts';
import { type ControlAnswers, decidingControl, withControl } from './control.ts';
import { readHistory } from './history.ts';
import { type Issue, issueOn } from './issues.ts';
import observations from './notes.json' with { type: 'json' };
import type { OpenapiVersion } from './operation.ts';
import { type Reply, replyTo } from './replies.ts';
import { checksOf, type Results, readResults } from './results.ts';
import { type Cause, causeOf, sentenceOf, sentenceOfControl, type Verdict, verdictOf } from './verdict.ts';
import { isRefusal, refusedVersions } from './version.ts';

export type { Cause, Kind, OpenapiVersion, Verdict };

export interface MapData {
  readonly date: string;
  /** The commit of this repository that was measured with. */
  readonly commit: string;
  /** The operating system and the runtimes. */
  readonly environment: string;
  readonly features: readonly FeatureData[];
  readonly tools: readonly ToolData[];
}

export interface FeatureData {
  readonly id: string;
  readonly name: string;
  /** The version of OpenAPI that added it. */
  readonly since: OpenapiVersion;
  readonly meaning: string;
  /** Why a service needs it. */
  readonly why: string;
  /** The smallest document that uses it, in YAML. Empty if that is a document of this repository. */
  readonly document: string;
  /** The names of the files beside it, which it names. */
  readonly beside?: readonly string[];
  /** Where our own document uses it. */
  readonly use: Pick<NonNullable<CaseText['use']>, 'document' | 'pointers'>;
  /** Sentences of the specification that say what is right. */
  readonly specification?: { readonly url: string; readonly quotes: readonly string[] };
}

export interface ToolData extends Pick<AdapterText, 'name' | 'kind' | 'language' | 'registry' | 'package' | 'version'> {
  readonly id: string;
  /** Packages that are installed with it, by name with their versions. */
  readonly with?: Readonly<Record<string, string>>;
  /** How a library is called. */
  readonly usage?: string;
  readonly homepage?: string;
  readonly tracker?: string;
  readonly verdicts: readonly VerdictData[];
  /** Further observations, in Markdown, one paragraph each. */
  readonly notes: readonly string[];
  /** Features that it cannot be asked for: it fails the control. */
  readonly unasked?: readonly UnaskedData[];
  /** Features that the version was not asked for yet: it has no verdict on them, and neither on those that it cannot be asked for. */
  readonly unmeasured?: readonly string[];
  /** Earlier versions that were measured, the newest first. */
  readonly earlier: readonly EarlierData[];
}

export interface EarlierData {
  readonly version: string;
  readonly date: string;
  readonly verdicts: readonly VerdictData[];
}

export interface ControlData {
  /** What is there instead of the feature. */
  readonly name: string;
  readonly checks: readonly CheckResult[];
}

/** What says why there is no verdict. */
export type UnaskedData = Omit<VerdictData, 'verdict' | 'cause' | 'reply' | 'control'> &
  Required<Pick<VerdictData, 'control'>>;

/** A verdict, and what was seen in a sentence. */
export interface VerdictData {
  readonly feature: string;
  readonly verdict: Verdict;
  /** Of a wrong verdict. */
  readonly cause?: Cause;
  /** The version of OpenAPI of the document. */
  readonly openapi: OpenapiVersion;
  readonly date: string;
  /** In Markdown. */
  readonly seen: string;
  readonly checks: readonly CheckResult[];
  /** Where a check is not right: the same questions without the feature. */
  readonly control?: ControlData;
  /** Of an author of the tool. */
  readonly reply?: Reply;
  /** In the tracker of the tool, about this wrong verdict. */
  readonly issue?: Issue;
}

export const readMapData = async (): Promise<MapData> => {
  const [cases, adapters] = await Promise.all([readCases(), readAdapters()]);
  const tools = adapters
    .map((adapter) => withUnmeasured(measuredToolOf(adapter), adapter, cases))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const latest = adapters
    .flatMap((adapter) => readResults(adapter) ?? [])
    .sort((a, b) => (a.date < b.date ? 1 : -1))[0];
  return {
    date: latest?.date ?? '',
    commit: latest?.commit ?? '',
    environment: latest?.environment ?? '',
    features: cases.map(featureOf),
    tools,
  };
};

/** A producer is asked only for what has a program. */
const withUnmeasured = (tool: ToolData, adapter: Adapter, cases: readonly Case[]): ToolData => {
  const answers = readResults(adapter)?.answers ?? {};
  const asked = tool.kind === 'producer' ? cases.filter(({ checks }) => checks.produce) : cases;
  const unmeasured = asked.filter(({ id }) => answers[id] === undefined).map(({ id }) => id);
  return unmeasured.length === 0 ? tool : { ...tool, unmeasured };
};

/** What no check asks, by the id of the tool. The notes of an adapter are about how it is measured. */
const notes = new Map<string, readonly string[]>(Object.entries(observations));

const featureOf = ({
  id,
  name,
  since,
  meaning,
  why,
  ownDocument,
  yaml,
  beside,
  use,
  specification,
}: Case): FeatureData => ({
  id,
  name,
  since,
  meaning,
  why,
  document: ownDocument ? '' : yaml,
  ...(beside.size > 0 && { beside: [...beside.keys()] }),
  use: { document: use?.document ?? '', pointers: use?.pointers ?? [] },
  ...(specification && { specification }),
});

/** The committed results, or those of another version. */
export const measuredToolOf = (
  { abilities, path, needs, sentences, isQuick, ...adapter }: Adapter,
  results = readResults(adapter),
): ToolData => ({
  ...adapter,
  version: results?.version ?? adapter.version,
  verdicts: verdictsOf(results?.answers ?? {}, sentences).map((verdict) => withTracker(adapter.id, verdict)),
  ...withUnasked(unaskedOf(results?.answers ?? {})),
  notes: [...(adapter.notes ?? []), ...(notes.get(adapter.id) ?? [])],
  earlier: readHistory(adapter.id)
    .filter(({ version }) => version !== (results?.version ?? adapter.version))
    .map(({ version, date, answers }) => ({
      version,
      date,
      verdicts: verdictsOf(answers, undefined, results?.answers),
    })),
});

const withUnasked = (unasked: readonly UnaskedData[]) => (unasked.length === 0 ? {} : { unasked });

const withTracker = (tool: string, verdict: VerdictData): VerdictData => {
  const reply = replyTo(tool, verdict.feature);
  const issue = verdict.verdict === 'wrong' ? issueOn(tool, verdict.feature) : undefined;
  return { ...verdict, ...(reply && { reply }), ...(issue && { issue }) };
};

const isProof = ({ grade, input, observed, line = '' }: CheckResult, proof: RegExp | undefined): boolean =>
  grade !== 'right' && proof?.test(`${input}\n${observed}\n${line}`) === true;

const controlNames = new Map((await readCases()).map(({ id, control }) => [id, control?.name ?? '']));

const controlDataOf = (feature: string, control: ControlAnswers | undefined): Pick<VerdictData, 'control'> =>
  control === undefined
    ? {}
    : { control: { name: controlNames.get(feature) ?? '', checks: Object.values(control).flat() } };

/** An earlier version has the controls of the newest one: they say what the tool can be asked, and not how it reads a feature. */
const verdictsOf = (
  answers: Results['answers'],
  sentences: Adapter['sentences'],
  controls: Results['answers'] = answers,
): VerdictData[] => {
  const refused = refusedVersions(answers);
  return Object.entries(answers).flatMap(([feature, { date, openapi, checks: all }]) => {
    const control = controls[feature]?.control?.answers;
    const checks = withControl(all, control);
    const computed = verdictOf(checks);
    if (computed === undefined) return [];
    const isVersion = refused.includes(openapi) && isRefusal(computed.deciding);
    const verdict = isVersion ? 'version' : computed.verdict;
    const [expected, sentence, proof] = sentences?.[feature] ?? [];
    const isProven = verdict === expected && checks.some((check) => isProof(check, proof));
    const seen = sentence !== undefined && isProven ? sentence : sentenceOf(computed, checks);
    const cause = verdict === 'wrong' ? { cause: causeOf(computed.deciding) } : {};
    return [{ feature, verdict, ...cause, openapi, date, seen, checks, ...controlDataOf(feature, control) }];
  });
};

/** The features without a verdict, because the tool fails their controls. */
const unaskedOf = (answers: Results['answers']): UnaskedData[] =>
  Object.entries(answers).flatMap(([feature, answer]) => {
    const { date, openapi } = answer;
    const checks = checksOf(answer);
    const { control } = controlDataOf(feature, answer.control?.answers);
    const deciding = answer.control && decidingControl(answer.control.answers);
    if (control === undefined || deciding === undefined || verdictOf(checks) !== undefined) return [];
    return [{ feature, openapi, date, seen: sentenceOfControl(control.name, deciding), checks, control }];
  });
