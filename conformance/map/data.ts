/** The data of the map, which the site and the report show. */

import { type Feature, type Kind, readFeatureMatrix, type Tool, type ToolVerdict, type Verdict } from '../features.ts';
import { type Adapter, readAdapters } from './adapter.ts';
import { type Case, readCases } from './case.ts';
import type { CheckResult } from './check.ts';
import { readResults } from './results.ts';
import { sentenceOf, verdictOf } from './verdict.ts';

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
  /** The smallest document that uses it, in YAML. Empty if it has no case yet. */
  readonly document: string;
  /** Where our own document uses it. */
  readonly use: { readonly document: string; readonly pointers: readonly string[] };
  /** Sentences of the specification that say what is right. */
  readonly specification?: { readonly url: string; readonly quotes: readonly string[] };
}

export interface ToolData
  extends Pick<Tool, 'name' | 'kind' | 'language' | 'registry' | 'package' | 'version' | 'notes'> {
  readonly id: string;
  readonly homepage?: string;
  readonly tracker?: string;
  readonly verdicts: readonly VerdictData[];
}

/** A verdict, and what was seen in a sentence. */
export interface VerdictData extends Omit<ToolVerdict, 'by'> {
  /** Empty if the verdict was observed by hand. */
  readonly checks: readonly CheckResult[];
}

/** Measured verdicts, and those that were observed by hand where nothing is measured yet. */
export const readMapData = async (): Promise<MapData> => {
  const { features, tools } = readFeatureMatrix();
  const [cases, adapters] = await Promise.all([readCases(), readAdapters()]);
  const measured = adapters.map((adapter) => measuredToolOf(adapter));
  const byHand = tools.filter(({ verdicts }) => verdicts.length > 0).map(toolByHandOf);
  const all = [
    ...byHand.filter(({ id }) => !measured.some((tool) => tool.id === id)),
    ...measured.map((tool) =>
      merge(
        tool,
        byHand.find(({ id }) => id === tool.id),
      ),
    ),
  ].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const latest = adapters
    .flatMap((adapter) => readResults(adapter) ?? [])
    .sort((a, b) => (a.date < b.date ? 1 : -1))[0];
  return {
    date: latest?.date ?? '',
    commit: latest?.commit ?? '',
    environment: latest?.environment ?? '',
    features: [
      ...features.map((feature) => featureOf(cases.find(({ id }) => id === feature.id)) ?? featureByHandOf(feature)),
      ...cases
        .filter(({ id }) => !features.some((feature) => feature.id === id))
        .flatMap((one) => featureOf(one) ?? []),
    ],
    tools: all,
  };
};

const merge = (measured: ToolData, byHand: ToolData | undefined): ToolData => {
  const others =
    byHand?.verdicts.filter(({ feature }) => !measured.verdicts.some((one) => one.feature === feature)) ?? [];
  return {
    ...measured,
    verdicts: [...measured.verdicts, ...others],
    notes: [...measured.notes, ...(byHand?.notes ?? [])],
  };
};

const featureOf = (one: Case | undefined): FeatureData | undefined =>
  one && {
    id: one.id,
    name: one.name,
    since: one.since,
    meaning: one.meaning,
    why: one.why,
    document: one.ownDocument ? '' : one.yaml,
    use: { document: one.use?.document ?? '', pointers: one.use?.pointers ?? [] },
    ...(one.specification && { specification: one.specification }),
  };

const featureByHandOf = ({ id, name, use, document, pointers }: Feature): FeatureData => ({
  id,
  name,
  since: document === 'openapi-3.2.json' ? '3.2' : document === 'openapi-3.0.json' ? '3.0' : '3.1',
  meaning: use,
  why: use,
  document: '',
  use: { document, pointers },
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
  notes: adapter.notes ?? [],
});

const toolByHandOf = ({ runs, needs, verdicts, ...tool }: Tool): ToolData => ({
  ...tool,
  id: toolIdOf(tool.name),
  verdicts: verdicts.map(({ by, ...verdict }) => ({ ...verdict, checks: [] })),
});

/** A name for files and URLs, such as `hey-api-openapi-ts`. */
export const toolIdOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
