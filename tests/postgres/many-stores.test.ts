/** Several stores on one database, as several processes have them. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type PlantRecord, versionOf } from '../../src/plants/plant.ts';
import type { Store } from '../../src/store/store.ts';
import { auditLog } from '../support/postgres/postgres-audit.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';

let database: TestDatabase;
let stores: Store[];
let first: Store;
beforeEach(async () => {
  database = await freshDatabase();
  first = await openPostgres(database.url);
  stores = [first, await openPostgres(database.url), await openPostgres(database.url)];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await database[Symbol.asyncDispose]();
});

/** The code of the error, or `done`. */
const outcomeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'done').catch(({ code }) => code);

const readLog = async (store: Store) => {
  const log = [];
  for await (const page of pagesOf(store)) log.push(...page);
  return log;
};

async function* pagesOf({ events }: Store) {
  for (let readTo = 0n; ; ) {
    const page = await events.read(readTo, 500);
    yield page.events;
    if (!page.hasMore) return;
    readTo = page.readTo;
  }
}

test('when several processes create different plants with one id at the same time, exactly one succeeds', async () => {
  for (let id = 1n; id <= 100n; id += 1n) {
    const outcomes = await Promise.all(
      stores.map((store, index) => outcomeOf(store.plants.create({ id, name: `n${index}` }))),
    );
    expect(outcomes.sort()).toEqual(['done', 'id_taken', 'id_taken']);
  }
  expect((await readLog(first)).map(({ type }) => type)).toEqual(Array(100).fill('plant.created'));
});

test('a plant that several processes create at the same time with the same content is created once', async () => {
  const creations = Array.from({ length: 300 }, (_, n) => ({ id: BigInt(n % 100), name: `n${n % 100}` }));
  const records = await Promise.all(
    stores.map((store) => Promise.all(creations.map((plant) => store.plants.create(plant)))),
  );
  expect(records[1]).toEqual(records[0] ?? []);
  expect(records[2]).toEqual(records[0] ?? []);
  expect(await readLog(first)).toHaveLength(100);
});

test('exactly one of several processes with the same version changes a plant', async () => {
  let record: PlantRecord | undefined = await first.plants.create({ id: 1n, name: 'n' });
  for (let round = 1; round <= 100; round += 1) {
    const versions = record ? [versionOf(record)] : [];
    const outcomes = await Promise.all(
      stores.map((store, index) => outcomeOf(store.plants.update(1n, { name: `${round} ${index}` }, versions))),
    );
    expect(outcomes.sort()).toEqual(['done', 'precondition_failed', 'precondition_failed']);
    record = await first.plants.get(1n);
  }
  expect(await readLog(first)).toHaveLength(101);
});

test('a token that one process has revoked is refused by the others at the next request', async () => {
  const others = stores.slice(1);
  for (let round = 1; round <= 20; round += 1) {
    const digest = `d${round}`;
    const token = await first.tokens.create({ name: 'n', scopes: [], digest });
    for (const other of others) expect((await other.tokens.findByDigest(digest))?.revokedAt).toBeUndefined();
    await first.tokens.revoke(token.id);
    for (const other of others)
      expect((await other.tokens.findByDigest(digest))?.revokedAt).toEqual(expect.any(String));
  }
});

test('a reader of the log misses no event while several processes write, and finds no gap', async () => {
  const reader = await openPostgres(database.url);
  let isWriting = true;
  const write = async (store: Store, from: number): Promise<void> => {
    const one = async (n: number): Promise<void> => {
      const id = BigInt(from + n);
      await store.plants.create({ id, name: 'n' });
      if (n % 3 === 0) await store.plants.update(id, { name: 'm' });
      if (n % 6 === 0) await store.plants.delete(id);
    };
    for (let batch = 0; batch < 20; batch += 1)
      await Promise.all(Array.from({ length: 30 }, (_, n) => one(batch * 30 + n)));
  };
  const writing = Promise.all(stores.map((store, index) => write(store, index * 1000))).finally(() => {
    isWriting = false;
  });
  const seen: bigint[] = [];
  for (let readTo = 0n, isLast = false; !isLast; ) {
    // Events committed by now are read in this round or in an earlier one.
    isLast = !isWriting;
    const page = await reader.events.read(readTo, 1000);
    seen.push(...page.events.map(({ sequence }) => sequence));
    readTo = page.readTo;
    isLast &&= !page.hasMore;
  }
  await writing;
  await reader.close();
  // 600 plants of each, of which 200 are changed and 100 deleted.
  expect(seen).toEqual(Array.from({ length: 3 * 900 }, (_, index) => BigInt(index + 1)));
});

test("processes that change the same plants in any order never get in each other's way", async () => {
  // Few, so that a batch has several changes of one plant.
  const ids = Array.from({ length: 7 }, (_, n) => BigInt(n));
  const work = async (store: Store, seed: number): Promise<string[]> => {
    const outcomes: Promise<string>[] = [];
    for (let step = 0; step < 60; step += 1) {
      for (let n = 0; n < 10; n += 1) {
        const id = ids[(seed * 7 + step * 13 + n * 11) % ids.length] ?? 0n;
        const { plants } = store;
        const kind = (seed + step + n) % 3;
        const change =
          kind === 0
            ? plants.create({ id, name: 'n' })
            : kind === 1
              ? plants.update(id, { name: `${step}` })
              : plants.delete(id);
        outcomes.push(outcomeOf(change));
      }
      await Promise.all(outcomes.slice(-10));
    }
    return Promise.all(outcomes);
  };
  const outcomes = (await Promise.all(stores.map((store, index) => work(store, index)))).flat();
  expect(new Set(outcomes)).toEqual(new Set(['done', 'id_taken', 'not_found']));
  expect(await auditLog(database.url)).toEqual([]);
});
