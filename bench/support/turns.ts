/**
 * All entrants run at the same time, and one at a time is loaded for a few seconds, while the others are idle. So other work of the
 * machine affects all of them equally, and the figures of one round can be compared. The order differs from turn to turn and from
 * round to round. The checkpoints of a server are part of its work, and happen in its turns.
 */
import type { Work } from './measure.ts';

export interface Entrant<Turn> {
  readonly name: string;
  /** Loads it once. Rejects if a request fails. */
  measure(work: Work, durationSeconds: number): Promise<Turn>;
}

export interface TurnOptions {
  readonly rounds: number;
  readonly seconds: number;
}

/** The turns: one in each round, for each entrant, under each kind of load. */
export type Measured<Turn> = ReadonlyMap<Work, ReadonlyMap<string, readonly Turn[]>>;

export const takeTurns = async <Turn>(
  entrants: readonly Entrant<Turn>[],
  works: readonly Work[],
  { rounds, seconds }: TurnOptions,
): Promise<Measured<Turn>> => {
  const toEmpty = (): Map<string, Turn[]> => new Map(entrants.map(({ name }) => [name, []]));
  const measured = new Map(works.map((work) => [work, toEmpty()]));
  await warmUp(entrants, works);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) {
      console.error(`round ${round + 1} of ${rounds}: ${work.load}, ${work.connections} connections`);
      for (const entrant of rotate(entrants, round + index)) {
        writeDirtyPages();
        const turn = await entrant.measure(work, seconds);
        measured.get(work)?.get(entrant.name)?.push(turn);
      }
    }
  }
  return measured;
};

const warmUpSeconds = 1;

/** Runs each kind of load once. It is not counted. */
const warmUp = async (entrants: readonly Entrant<unknown>[], works: readonly Work[]): Promise<void> => {
  const firstOfLoad = works.filter((work) => work === works.find(({ load }) => load === work.load));
  for (const entrant of entrants) {
    console.error(`warm-up: ${entrant.name}`);
    for (const work of firstOfLoad) await entrant.measure(work, warmUpSeconds);
  }
};

/** Rotates the order, and reverses every second one. */
const rotate = <One>(all: readonly One[], by: number): One[] => {
  const from = by % all.length;
  const rotated = [...all.slice(from), ...all.slice(0, from)];
  return by % 2 === 0 ? rotated : rotated.toReversed();
};

/** Otherwise a server could wait for the disk to write the dirty pages of another one. */
const writeDirtyPages = (): void => {
  if (!Bun.spawnSync(['sync']).success) throw new Error('sync has failed');
};
