/** The data of the map, which the site and the report show. */
import { type Feature, type Kind, readFeatureMatrix, type Tool, type Verdict } from '../features.ts';

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
}

export interface ToolData {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly language: string;
  readonly registry: string;
  readonly package: string;
  readonly version: string;
  readonly homepage?: string;
  readonly tracker?: string;
  readonly verdicts: readonly VerdictData[];
  readonly notes: readonly string[];
}

export interface VerdictData {
  readonly feature: string;
  readonly verdict: Verdict;
  readonly date: string;
  /** What was seen, in a sentence. */
  readonly seen: string;
  /** Empty if the verdict was observed by hand. */
  readonly checks: readonly CheckResult[];
}

export type Grade = 'right' | 'ignored' | 'wrong';

/** One question to a tool, and the answer. */
export interface CheckResult {
  readonly check: string;
  /** Whether a tool that ignores the feature passes it too. */
  readonly isBasic: boolean;
  /** As a user would type it. */
  readonly command: string;
  readonly input: string;
  readonly expected: string;
  readonly observed: string;
  /** The line of output that decides. */
  readonly line?: string;
  readonly grade: Grade;
}

export const readMapData = (): MapData => {
  const { features, tools } = readFeatureMatrix();
  const tried = tools.filter(({ verdicts }) => verdicts.length > 0).map(toolDataOf);
  const dates = tried.flatMap(({ verdicts }) => verdicts.map(({ date }) => date));
  return {
    date: dates.sort().at(-1) ?? '',
    commit: '',
    environment: '',
    features: features.map(featureDataOf),
    tools: tried,
  };
};

const featureDataOf = ({ id, name, use, document, pointers }: Feature): FeatureData => ({
  id,
  name,
  since: document === 'openapi-3.2.json' ? '3.2' : '3.1',
  meaning: use,
  why: use,
  document: '',
  use: { document, pointers },
});

const toolDataOf = ({
  name,
  kind,
  language,
  registry,
  package: packageName,
  version,
  verdicts,
  notes,
}: Tool): ToolData => ({
  id: toolIdOf(name),
  name,
  kind,
  language,
  registry,
  package: packageName,
  version,
  verdicts: verdicts.map(({ feature, verdict, date, seen }) => ({ feature, verdict, date, seen, checks: [] })),
  notes,
});

/** A name for files and URLs, such as `hey-api-openapi-ts`. */
export const toolIdOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
