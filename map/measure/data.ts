/** The data of the map, which the site and the report show. */

import { type Adapter, type AdapterText, type Kind, readAdapters } from './adapter.ts';
import { type Case, type CaseText, readCases } from './case.ts';
import type { CheckResult } from './check.ts';
import observations from './notes.json' with { type: 'json' };
import { readResults } from './results.ts';
import { sentenceOf, type Verdict, verdictOf } from './verdict.ts';

export type { Kind, Verdict };

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
  readonly since: '3.0' | '3.1' | '3.2';
  readonly meaning: string;
  /** Why a service needs it. */
  readonly why: string;
  /** The smallest document that uses it, in YAML. Empty if that is a document of this repository. */
  readonly document: string;
  /** Where our own document uses it. */
  readonly use: Pick<NonNullable<CaseText['use']>, 'document' | 'pointers'>;
  /** Sentences of the specification that say what is right. */
  readonly specification?: { readonly url: string; readonly quotes: readonly string[] };
}

export interface ToolData extends Pick<AdapterText, 'name' | 'kind' | 'language' | 'registry' | 'package' | 'version'> {
  readonly id: string;
  readonly homepage?: string;
  readonly tracker?: string;
  readonly verdicts: readonly VerdictData[];
  /** Further observations, in Markdown, one paragraph each. */
  readonly notes: readonly string[];
}

/** A verdict, and what was seen in a sentence. */
export interface VerdictData {
  readonly feature: string;
  readonly verdict: Verdict;
  readonly date: string;
  /** In Markdown. */
  readonly seen: string;
  readonly checks: readonly CheckResult[];
}

export const readMapData = async (): Promise<MapData> => {
  const [cases, adapters] = await Promise.all([readCases(), readAdapters()]);
  const tools = adapters.map((adapter) => measuredToolOf(adapter)).sort((a, b) => a.name.localeCompare(b.name, 'en'));
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

/** What no check asks, by the id of the tool. The notes of an adapter are about how it is measured. */
const notes = new Map<string, readonly string[]>(Object.entries(observations));

const featureOf = ({ id, name, since, meaning, why, ownDocument, yaml, use, specification }: Case): FeatureData => ({
  id,
  name,
  since,
  meaning,
  why,
  document: ownDocument ? '' : yaml,
  use: { document: use?.document ?? '', pointers: use?.pointers ?? [] },
  ...(specification && { specification }),
});

/** The committed results, or those of another version. */
export const measuredToolOf = (
  { abilities, path, needs, with: others, usage, sentences, isQuick, ...adapter }: Adapter,
  results = readResults(adapter),
): ToolData => ({
  ...adapter,
  version: results?.version ?? adapter.version,
  verdicts: Object.entries(results?.answers ?? {}).flatMap(([feature, { date, checks }]) => {
    const computed = verdictOf(checks);
    if (computed === undefined) return [];
    const [verdict, sentence] = sentences?.[feature] ?? [];
    const seen = sentence !== undefined && verdict === computed.verdict ? sentence : sentenceOf(computed, checks);
    return [{ feature, verdict: computed.verdict, date, seen, checks }];
  }),
  notes: [...(adapter.notes ?? []), ...(notes.get(adapter.id) ?? [])],
});
