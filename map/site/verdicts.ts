/** The words and signs of the verdicts, and how verdicts are counted. */
import type { MapData, ToolData, Verdict, VerdictData } from '../measure/data.ts';

export const verdicts: readonly Verdict[] = ['right', 'partly', 'ignored', 'wrong'];

export const signs: Readonly<Record<Verdict, string>> = { right: '✓', partly: '◐', ignored: '○', wrong: '✗' };

export const meanings: Readonly<Record<Verdict, string>> = {
  right: 'It does what the feature says.',
  partly: 'It does a part of it.',
  ignored: 'It reads the document as if the feature were not in it.',
  wrong: 'It refuses a valid document, or does something else.',
};

export type Counts = Readonly<Record<Verdict, number>>;

export const countsOf = (given: readonly VerdictData[]): Counts => {
  const countOf = (verdict: Verdict): number => given.filter((one) => one.verdict === verdict).length;
  return { right: countOf('right'), partly: countOf('partly'), ignored: countOf('ignored'), wrong: countOf('wrong') };
};

export interface Tried {
  readonly tool: ToolData;
  readonly verdict: VerdictData;
}

/** The verdicts on a feature, the worst first, and those of one kind by the name of the tool. */
export const triedOn = (featureId: string, { tools }: MapData): Tried[] =>
  tools
    .flatMap((tool) => tool.verdicts.map((verdict) => ({ tool, verdict })))
    .filter(({ verdict }) => verdict.feature === featureId)
    .sort(
      (a, b) =>
        verdicts.indexOf(b.verdict.verdict) - verdicts.indexOf(a.verdict.verdict) ||
        a.tool.name.localeCompare(b.tool.name, 'en'),
    );
