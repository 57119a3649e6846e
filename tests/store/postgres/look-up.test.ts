import { describe, expect, test } from 'bun:test';
import { createLookUp, keysMax } from '../../../src/store/postgres/look-up.ts';

/** A look-up whose queries are answered by hand. */
const createQueries = () => {
  const queries: {
    keys: readonly string[];
    answer: (found: Record<string, number>) => void;
    fail: (error: Error) => void;
  }[] = [];
  const lookUp = createLookUp(
    (keys: readonly string[]) =>
      new Promise<ReadonlyMap<string, number>>((resolve, reject) => {
        queries.push({ keys, answer: (found) => resolve(new Map(Object.entries(found))), fail: reject });
      }),
  );
  return { queries, lookUp };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('look-ups', () => {
  test('the look-ups of one turn are one query, with each key once', async () => {
    const { queries, lookUp } = createQueries();
    const found = Promise.all([lookUp('a'), lookUp('b'), lookUp('a'), lookUp('c')]);
    expect(queries).toEqual([]);
    await nextTurn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']]);
    queries[0]?.answer({ a: 1, b: 2 });
    expect(await found).toEqual([1, 2, 1, undefined]);
  });

  test('a look-up that arrives while its key is looked up is answered by a later query', async () => {
    const { queries, lookUp } = createQueries();
    const before = lookUp('a');
    await nextTurn();
    const after = lookUp('a');
    await nextTurn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
    queries[1]?.answer({});
    queries[0]?.answer({ a: 1 });
    expect(await Promise.all([before, after])).toEqual([1, undefined]);
  });

  test('look-ups wait together while two queries are under way', async () => {
    const { queries, lookUp } = createQueries();
    const found: Promise<number | undefined>[] = [];
    for (const key of ['a', 'b', 'c', 'd']) {
      found.push(lookUp(key));
      await nextTurn();
    }
    expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    queries[0]?.answer({ a: 1 });
    await nextTurn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c', 'd']]);
    for (const { answer } of queries) answer({ b: 2, c: 3, d: 4 });
    expect(await Promise.all(found)).toEqual([1, 2, 3, 4]);
  });

  test('a query that fails fails its own look-ups alone', async () => {
    const { queries, lookUp } = createQueries();
    const failing = Promise.allSettled([lookUp('a'), lookUp('b')]);
    await nextTurn();
    const other = lookUp('c');
    await nextTurn();
    queries[0]?.fail(new Error('lost'));
    queries[1]?.answer({ c: 3 });
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await other).toBe(3);
  });

  test(`a query asks for at most ${keysMax} keys, and the rest is asked for by another`, async () => {
    const { queries, lookUp } = createQueries();
    const found = Promise.all(Array.from({ length: keysMax + 1 }, (_, n) => lookUp(`${n}`)));
    await nextTurn();
    expect(queries.map(({ keys }) => keys.length)).toEqual([keysMax, 1]);
    for (const { keys, answer } of queries) answer(Object.fromEntries(keys.map((key) => [key, Number(key)])));
    expect(await found).toEqual(Array.from({ length: keysMax + 1 }, (_, n) => n));
  });
});
