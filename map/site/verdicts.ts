/** The words and signs of the verdicts, and how verdicts are counted. */
import type { MapData, ToolData, Verdict, VerdictData } from '../measure/data.ts';

export const verdicts: readonly Verdict[] = ['right', 'partly', 'ignored', 'wrong', 'version'];

export const signs: Readonly<Record<Verdict, string>> = {
  right: '✓',
  partly: '◐',
  ignored: '○',
  wrong: '✗',
  version: '⊘',
};

/** For readers. The others are words already. */
export const words: Readonly<Record<Verdict, string>> = {
  right: 'right',
  partly: 'partly',
  ignored: 'ignored',
  wrong: 'wrong',
  version: 'refuses version',
};

export const meanings: Readonly<Record<Verdict, string>> = {
  right: 'It does what the feature says.',
  partly: 'It does a part of it.',
  ignored: 'It reads the document as if the feature were not in it.',
  wrong: 'It reads the version, and refuses the document or does something else.',
  version: 'It refuses every document of this version of OpenAPI. Counted once for a tool.',
};

export type Counts = Readonly<Record<Verdict, number>>;

export const countsOf = (given: readonly VerdictData[]): Counts => {
  const countOf = (verdict: Verdict): number => given.filter((one) => one.verdict === verdict).length;
  return {
    right: countOf('right'),
    partly: countOf('partly'),
    ignored: countOf('ignored'),
    wrong: countOf('wrong'),
    version: countOf('version'),
  };
};

/** The verdicts on one tool that count: a version that it refuses is one, however many features it has. */
export const countedOf = ({ verdicts: given }: ToolData): VerdictData[] =>
  given.filter(
    ({ verdict, openapi }, index) =>
      verdict !== 'version' || given.findIndex((one) => one.verdict === 'version' && one.openapi === openapi) === index,
  );

/** How many features the tool could be asked for. */
export const askedOf = ({ verdicts: given }: ToolData): number =>
  given.filter(({ verdict }) => verdict !== 'version').length;

export interface Tried {
  readonly tool: ToolData;
  readonly verdict: VerdictData;
}

/** The verdicts on a feature, by the name of the tool. */
export const triedOn = (featureId: string, { tools }: MapData): Tried[] =>
  tools
    .flatMap((tool) => tool.verdicts.map((verdict) => ({ tool, verdict })))
    .filter(({ verdict }) => verdict.feature === featureId)
    .sort((a, b) => byName(a.tool, b.tool));

export const byName = (a: Pick<ToolData, 'name'>, b: Pick<ToolData, 'name'>): number =>
  a.name.localeCompare(b.name, 'en', { ignorePunctuation: true, numeric: true });
