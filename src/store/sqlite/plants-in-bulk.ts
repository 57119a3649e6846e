/**
 * All plants in, or all plants out, in one transaction however many they are. Each works on a client of its own, so that
 * its transaction stays open over many awaits while the store goes on with other work; SQLite keeps the pages that do not
 * fit in memory in its log. A database in memory has one client alone: there, nothing else may run meanwhile.
 */
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { int64Max, int64Min } from '../../base/int64.ts';
import { type ImportedPlant, importOver, type PlantRecord, recordImport } from '../../domain/plant.ts';
import type { PutOutcome, PutPlants } from '../store.ts';
import type { BorrowedClient, Connection } from './connection.ts';
import { type EventQueries, prepareEventQueries } from './event-queries.ts';
import { isDiskFailure, toAppError, unknownAfterCommit, whileLocked } from './failure.ts';
import { findPlants, type PlantQueries, preparePlantQueries } from './plant-queries.ts';
import { toEventRow, toPlantColumns, toRow } from './plant-rows.ts';

export const putAll = async <Result>(
  { borrow, isInPlace }: Connection,
  fill: (put: PutPlants) => Promise<Result>,
): Promise<Result> => {
  try {
    using borrowed = borrow();
    const { client } = borrowed;
    const db = drizzle({ client });
    const putBatch = createPutBatch(preparePlantQueries(db), prepareEventQueries(db));
    // Rows that come in no order touch pages all over the file; room for them spares writing each out many times.
    client.run(`PRAGMA cache_size = -${cacheKibibytes}`);
    await whileLocked(() => client.run('BEGIN IMMEDIATE'));
    try {
      const result = await fill(async (plants, onTaken) => putBatch(plants, onTaken, new Date()));
      client.run('COMMIT');
      if (!isInPlace()) throw unknownAfterCommit(undefined);
      return result;
    } catch (error) {
      if (client.inTransaction && !isDiskFailure(error)) client.run('ROLLBACK');
      throw error;
    }
  } catch (error) {
    throw toAppError(error, 'write');
  }
};

const cacheKibibytes = 64 * 1024;

export async function* scan(connection: Connection): AsyncGenerator<readonly PlantRecord[]> {
  try {
    using borrowed = connection.borrow();
    yield* readAll(borrowed);
  } catch (error) {
    throw toAppError(error, 'read');
  }
}

/** How many rows are read at a time. */
const scanRows = 1000;

function* readAll({ client, isOwn }: BorrowedClient): Generator<readonly PlantRecord[]> {
  const { page } = preparePlantQueries(drizzle({ client }));
  // The snapshot begins with the first read, and ends with the client.
  if (isOwn) client.run('BEGIN');
  for (let from = int64Min; ; ) {
    const records = findPlants(page, { from, limit: scanRows });
    if (records.length > 0) yield records;
    const last = records.at(-1)?.id ?? int64Max;
    if (records.length < scanRows || last === int64Max) return;
    from = last + 1n;
  }
}

/** Puts a batch in: those whose id is free by one statement, since most are, and the others one by one. */
const createPutBatch = (queries: PlantQueries, eventQueries: EventQueries) => {
  const put = createPutTaken(queries, eventQueries);
  return (plants: readonly ImportedPlant[], onTaken: 'replace' | 'leave', now: Date): PutOutcome[] => {
    const free = new Set(queries.insertFree(plants.map((plant) => toRow(recordImport(plant, now)))));
    // Of two rows with one id the first has it.
    const isCreated = plants.map(({ id }) => free.delete(id));
    eventQueries.appendCreated(plants.filter((_, index) => isCreated[index]).map(toPlantColumns), now);
    return plants.map((plant, index) => (isCreated[index] ? 'created' : put(plant, onTaken, now)));
  };
};

const createPutTaken =
  (queries: PlantQueries, eventQueries: EventQueries) =>
  (plant: ImportedPlant, onTaken: 'replace' | 'leave', now: Date): PutOutcome => {
    const [present] = findPlants(queries.byId, { id: plant.id });
    // Of two rows with one id the second finds the first; should it be gone, there is nothing to do.
    if (!present) return 'unchanged';
    const change = importOver(present, plant, onTaken, now);
    if (change.outcome === 'replaced') {
      queries.replace.run(toRow(change.record));
      eventQueries.append.run(toEventRow(change.event));
    }
    return change.outcome;
  };
