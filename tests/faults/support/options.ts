/** The options of a trial: `--rounds`, `--seconds`, `--seed` and `--scene`. Throws for a value that is not a number: such a run would try nothing. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly rounds: Rounds;
  /** How long rounds begin. Undefined in a full run. */
  readonly seconds: number | undefined;
  /** From 0 to 1, the same in every run with one seed (mulberry32). */
  readonly random: () => number;
  /** The scenes whose names begin with `--scene`, or without it all of them. Throws if there is none. */
  readonly choose: <Scene extends { readonly name: string }>(scenes: readonly Scene[]) => readonly Scene[];
}

export interface Rounds {
  readonly max: number;
  /** How many have begun. */
  readonly count: () => number;
  /**
   * The numbers of the rounds, from 1 to `max`. With `--seconds` the last one begins within so many seconds of the first, but `least`
   * rounds begin in any case: as many as a trial has kinds of rounds.
   */
  readonly each: (least?: number) => Generator<number, void>;
  /** The same rounds with a kind for each, by its name. Each kind occurs once before any occurs again. */
  readonly eachOf: <Kind>(
    kinds: Readonly<Record<string, Kind>>,
  ) => Generator<[round: number, name: string, kind: Kind], void>;
}

export const readOptions = (roundsDefault: number): Options => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: `${roundsDefault}` },
      seconds: { type: 'string' },
      seed: { type: 'string', default: '1' },
      scene: { type: 'string' },
    },
  });
  const [max, seed] = [Number(values.rounds), Number(values.seed)];
  const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
  if (!(Number.isInteger(max) && max > 0)) throw new Error('--rounds must be an integer from 1 on.');
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds > 0))
    throw new Error('--seconds must be an integer from 1 on.');
  if (!Number.isInteger(seed)) throw new Error('--seed must be an integer.');
  const choose: Options['choose'] = (scenes) => {
    const chosen = scenes.filter(({ name }) => name.startsWith(values.scene ?? ''));
    if (chosen.length === 0) throw new Error(`--scene must be one of ${scenes.map(({ name }) => name).join(', ')}.`);
    return chosen;
  };
  return { rounds: createRounds(max, seconds), seconds, random: createRandom(seed), choose };
};

export const createRounds = (max: number, seconds = Number.POSITIVE_INFINITY): Rounds => {
  let count = 0;
  function* each(least = 1): Generator<number, void> {
    const endsAtMs = performance.now() + 1000 * seconds;
    for (let round = 1; round <= max && (round <= least || performance.now() < endsAtMs); round += 1) {
      count = Math.max(count, round);
      yield round;
    }
  }
  return {
    max,
    count: () => count,
    each,
    *eachOf(kinds) {
      const entries = Object.entries(kinds);
      for (const round of each(entries.length)) {
        const [name, kind] = entries[(round - 1) % entries.length] ?? [];
        if (name === undefined || kind === undefined) throw new Error('There are no kinds of rounds.');
        yield [round, name, kind];
      }
    },
  };
};

const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Ends the run, and prints the reason. */
export const skip = (reason: string): never => {
  console.log(`skipped: ${reason}`);
  process.exit(0);
};

export const skipWithout = (tool: string): void => {
  if (Bun.which(tool) === null) skip(`${tool} is not installed`);
};
