import { describe, expect, test } from 'bun:test';
import { createLoader, keysMax } from '../../../src/postgres/session/loader.ts';
import { freshDatabase } from '../../support/postgres/postgres-database.ts';
import { startProxy } from '../../support/postgres/proxy.ts';
import { openPostgres } from '../../support/store/postgres-engine.ts';

/** A look-up whose queries are answered by hand. */
const createQueries = () => {
  const queries: {
    keys: readonly string[];
    answer: (found: Record<string, number>) => void;
    fail: (error: Error) => void;
  }[] = [];
  const lookUp = createLoader(
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

  test('look-ups wait together while two queries are running', async () => {
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

  test('a failed query fails only its own look-ups', async () => {
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

describe('the statements that PostgreSQL gets', () => {
  test('the tokens and plants that are looked up in one turn are one statement each, and a later turn has its own', async () => {
    await using database = await freshDatabase();
    await using proxy = await startProxy(database.url);
    const store = await openPostgres(proxy.url);
    await store.tokens.create({ name: 'n', scopes: [], digest: 'd0' });
    await store.plants.create({ id: 0n, name: 'n' });
    const ofTokens = proxy.count(/from "tokens"/);
    const ofPlants = proxy.count(/from "plants"/);
    for (let turn = 1; turn <= 3; turn += 1) {
      const indexes = Array.from({ length: 100 }, (_, index) => index);
      const [tokens, plants] = await Promise.all([
        Promise.all(indexes.map((index) => store.tokens.findByDigest(`d${index}`))),
        Promise.all(indexes.map((index) => store.plants.get(BigInt(index)))),
      ]);
      expect([tokens[0]?.name, plants[0]?.name]).toEqual(['n', 'n']);
      expect([ofTokens(), ofPlants()]).toEqual([turn, turn]);
    }
    await store.close();
  });
});
