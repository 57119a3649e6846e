/**
 * Does the same with many items, a few at a time. An item that fails does not stop the others; a token that is refused or a lost server does.
 */
import { asProblem, explain, type Problem } from '../api/problem.ts';

export interface Failure<Item> {
  readonly item: Item;
  readonly reason: string;
}

export interface Outcome<Item> {
  readonly doneCount: number;
  readonly failures: readonly Failure<Item>[];
  /** Items that were not tried, since the user or a problem of all of them has stopped the job. */
  readonly untried: readonly Item[];
  readonly problem?: Problem | undefined;
}

interface RunOptions<Item> {
  readonly items: readonly Item[];
  /** Resolves to why it failed, or to undefined. Throws Problem. */
  readonly run: (item: Item) => Promise<string | undefined>;
  readonly signal: AbortSignal;
  readonly onProgress: (outcome: Outcome<Item>) => void;
}

const concurrent = 6;

export const runMany = async <Item>({ items, run, signal, onProgress }: RunOptions<Item>): Promise<Outcome<Item>> => {
  const waiting = [...items];
  const untried: Item[] = [];
  const failures: Failure<Item>[] = [];
  let doneCount = 0;
  let problem: Problem | undefined;
  const outcome = (): Outcome<Item> => ({
    doneCount,
    failures: [...failures],
    untried: [...untried, ...waiting],
    problem,
  });

  const runOne = async (item: Item): Promise<void> => {
    try {
      const reason = await run(item);
      if (reason === undefined) doneCount += 1;
      else failures.push({ item, reason });
    } catch (error) {
      const cause = asProblem(error);
      if (isOfItem(cause)) failures.push({ item, reason: explain(cause) });
      else {
        untried.push(item);
        problem ??= cause;
      }
    }
  };
  const work = async (): Promise<void> => {
    while (!problem && !signal.aborted) {
      const item = waiting.shift();
      if (item === undefined) return;
      await runOne(item);
      onProgress(outcome());
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
  return outcome();
};

/** Whether the problem is one of the item, not of the token or the server. Also an error of the console or the service. */
const isOfItem = ({ status, number }: Problem): boolean =>
  [-1, 400, 404, 409, 412, 413, 415, 422].includes(status) || number === 50000 || number === 50301;
