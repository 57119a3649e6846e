/**
 * All plants in, or all plants out, in one transaction however many they are. Each works on a client of its own, so that
 * its transaction stays open over many awaits while the store goes on with other work; SQLite keeps the pages that do not
 * fit in memory in its log. A database in memory has one client alone: there, nothing else may run meanwhile.
 */
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { int64Max, int64Min } from '../../domain/int64.ts';
import { type ImportedPlant, isSamePlant, type PlantRecord } from '../../domain/plant.ts';
import type { PutOutcome, PutPlants } from '../store.ts';
import type { Connection } from './connection.ts';
import { asAppError } from './failure.ts';
import { preparePlantQueries, toRecord, toRow } from './plant-queries.ts';

export const putAll = async <Result>(
  connection: Connection,
  fill: (put: PutPlants) => Promise<Result>,
): Promise<Result> => {
  using borrowed = connection.borrow();
  const { client } = borrowed;
  const putOne = createPutOne(preparePlantQueries(drizzle({ client })));
  // Rows that come in no order touch pages all over the file; room for them spares writing each out many times.
  client.run(`PRAGMA cache_size = -${cacheKibibytes}`);
  try {
    client.run('BEGIN IMMEDIATE');
    const result = await fill(async (plants, onTaken) => {
      const now = new Date().toISOString();
      return plants.map((plant) => putOne(plant, onTaken, now));
    });
    client.run('COMMIT');
    return result;
  } catch (error) {
    if (client.inTransaction) client.run('ROLLBACK');
    throw asAppError(error, 'write');
  }
};

const cacheKibibytes = 64 * 1024;

/** How many rows `scan` reads at a time. */
const scanRows = 1000;

export async function* scan(connection: Connection): AsyncGenerator<readonly PlantRecord[]> {
  using borrowed = connection.borrow();
  const { client, isOwn } = borrowed;
  const { page } = preparePlantQueries(drizzle({ client }));
  // The snapshot begins with the first read, and ends with the client.
  if (isOwn) client.run('BEGIN');
  for (let from = int64Min; ; ) {
    const rows = page.all({ from, limit: scanRows });
    if (rows.length > 0) yield rows.map(toRecord);
    const last = rows.at(-1)?.id ?? int64Max;
    if (rows.length < scanRows || last === int64Max) return;
    from = last + 1n;
  }
}

const createPutOne =
  (queries: ReturnType<typeof preparePlantQueries>) =>
  (plant: ImportedPlant, onTaken: 'replace' | 'leave', now: string): PutOutcome => {
    if (queries.insert.get(toRow({ createdAt: now, updatedAt: plant.createdAt ?? now, ...plant }))) return 'created';
    const row = queries.byId.get({ id: plant.id });
    const present = row && toRecord(row);
    if (!present || isSamePlant(present, plant)) return 'unchanged';
    if (onTaken === 'leave') return 'taken';
    queries.replace.run(toRow({ createdAt: present.createdAt, updatedAt: now, ...plant }));
    return 'replaced';
  };
