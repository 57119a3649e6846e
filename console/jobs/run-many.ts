/**
 * Does the same with many items, a few at a time. An item that fails does not stop the others; a token that is refused or a lost server does.
 */
import { asProblem, explain, type Problem } from '../api/problem.ts';

export interface Progress {
  readonly doneCount: number;
  readonly failures: readonly { readonly id: string; readonly reason: string }[];
}

export interface Outcome<Item> extends Progress {
  /** Items that were not tried, since the user or a problem of all of them has stopped the job. */
  readonly untried: readonly Item[];
  readonly problem?: Problem | undefined;
}

export interface RunOptions<Item> {
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  /** Resolves to why it failed, or to undefined. Throws Problem. */
  readonly run: (item: Item) => Promise<string | undefined>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

const concurrent = 6;

export const runMany = async <Item>(options: RunOptions<Item>): Promise<Outcome<Item>> => {
  const { items, idOf, run, signal, onProgress } = options;
  const untried: Item[] = [];
  let failures: Progress['failures'] = [];
  let doneCount = 0;
  let begunCount = 0;
  let problem: Problem | undefined;
  const fail = (item: Item, reason: string): void => {
    failures = [...failures, { id: idOf(item), reason }];
  };

  const runOne = async (item: Item): Promise<void> => {
    try {
      const reason = await run(item);
      if (reason === undefined) doneCount += 1;
      else fail(item, reason);
    } catch (error) {
      const cause = asProblem(error);
      if (isOfItem(cause)) fail(item, explain(cause));
      else {
        untried.push(item);
        problem ??= cause;
      }
    }
  };
  const work = async (): Promise<void> => {
    while (!problem && !signal.aborted) {
      const item = items[begunCount];
      if (item === undefined) return;
      begunCount += 1;
      await runOne(item);
      onProgress({ doneCount, failures });
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
  return { doneCount, failures, untried: [...untried, ...items.slice(begunCount)], problem };
};

/** Whether the problem is one of the item, not of the token or the server. Also an error of the console or the service. */
const isOfItem = ({ status, number }: Problem): boolean =>
  [-1, 400, 404, 409, 412, 413, 415, 422].includes(status) || number === 50000 || number === 50301;
