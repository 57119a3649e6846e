/**
 * The guard against small losses of speed that add up: `history.json` has what a request has cost at some commits, relative to one
 * reference commit, so that every change is compared with the same one, and not with its own start.
 */
import { type Compared, toRatioOfQuartiles } from '../versions/compare.ts';

export interface History {
  /** The commit to which all ratios refer. */
  readonly reference: string;
  /** Oldest first. */
  readonly entries: readonly Entry[];
}

/** A release, or the end of a larger change. */
export interface Entry {
  /** The measured checkout. */
  readonly commit: string;
  /** Such as 2026-11-27. */
  readonly date: string;
  readonly what: string;
  readonly ratios: Ratios;
}

/** The CPU time of a request divided by that at the reference, by the engine and the kind of load, such as `create@128`. */
export type Ratios = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const toRatios = (compared: readonly Compared[]): Ratios => {
  const byEngine = Map.groupBy(compared, ({ engine }) => engine);
  return Object.fromEntries([...byEngine].map(([engine, rows]) => [engine, Object.fromEntries(rows.map(toRatio))]));
};

const toRatio = ({ work, cpuUs }: Compared): [string, number] => [work, Number(toRatioOfQuartiles(cpuUs).toFixed(3))];

/** How much more a request may cost than at the last entry. */
const lossMax = 0.04;

/** A row that costs too much more. */
export interface Loss {
  readonly engine: string;
  /** Such as `create@128`. */
  readonly work: string;
  readonly message: string;
}

/** The rows that cost too much more than at `last`. */
export const findLosses = (ratios: Ratios, last: Entry): Loss[] =>
  Object.entries(ratios).flatMap(([engine, rows]) =>
    Object.entries(rows).flatMap(([work, ratio]) => {
      const before = last.ratios[engine]?.[work];
      if (before === undefined || ratio <= before * (1 + lossMax)) return [];
      const more = Math.round(100 * (ratio / before - 1));
      const message = `${work} on ${engine} costs ${more} % more than at ${last.commit.slice(0, 8)}: ${ratio} of the reference, and ${before} then.`;
      return [{ engine, work, message }];
    }),
  );

/** Those of `losses` that a second measurement has, too. */
export const confirmLosses = (losses: readonly Loss[], again: Ratios, last: Entry): Loss[] =>
  findLosses(again, last).filter(({ engine, work }) =>
    losses.some((loss) => loss.engine === engine && loss.work === work),
  );
