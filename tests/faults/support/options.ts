/** The options of a run of faults: `--rounds` and `--seed`. Throws for a value that is not a number: such a run would try nothing. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly rounds: number;
  /** From 0 to 1, the same in every run with one seed (mulberry32). */
  readonly random: () => number;
}

export const readOptions = (roundsDefault: number): Options => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: `${roundsDefault}` }, seed: { type: 'string', default: '1' } },
  });
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be an integer from 1 on.');
  if (!Number.isInteger(seed)) throw new Error('--seed must be an integer.');
  return { rounds, random: createRandom(seed) };
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
