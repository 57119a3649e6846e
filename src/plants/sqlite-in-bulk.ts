/**
 * An import or an export of all plants, in one transaction. It has a separate client, so that the transaction stays open over
 * many awaits while the store does other work; SQLite writes the pages that do not fit in memory to its log. A database in memory
 * has only one client, so no other operation may run meanwhile.
 */

import { AppError, fileReplaced } from '../app-error.ts';
import { pagesOf } from '../base/page.ts';
import { prepareEventQueries } from '../events/sqlite.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { reportImports } from '../store/observer.ts';
import { writeInBulk } from '../store/sqlite/client.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import { toAppError } from '../store/sqlite/errors.ts';
import type { PlantStore, PutOutcome, PutPlants } from '../store/store.ts';
import { applyImport, type ImportedPlant, type PlantRecord, recordImport } from './plant.ts';
import { toPlant, toPlantRow } from './row.ts';
import { preparePlantQueries } from './sqlite.ts';

export const createBulkStore = (connection: Connection): Pick<PlantStore, 'putAll' | 'scan'> => ({
  putAll: reportImports(async (fill) => {
    const result = await putAll(connection, fill);
    connection.announce('event');
    return result;
  }, connection.observer),
  scan: () => scan(connection),
});

const putAll = async <Result>(
  { borrow, isReplaced }: Connection,
  fill: (put: PutPlants) => Promise<Result>,
): Promise<Result> => {
  try {
    using borrowed = borrow();
    const { client } = borrowed;
    const putBatch = createPutBatch(client);
    const result = await writeInBulk(client, () =>
      fill(async (plants, onTaken) => putBatch(plants, onTaken, new Date())),
    );
    if (isReplaced()) throw new AppError(fileReplaced);
    return result;
  } catch (error) {
    throw toAppError(error, 'write');
  }
};

/** Inserts the plants whose id is free by one statement, since most are, and the others one by one. */
const createPutBatch = (client: SqliteClient) => {
  const plants = preparePlantQueries(client);
  const events = prepareEventQueries(client);

  const putTaken = (plant: ImportedPlant, onTaken: 'replace' | 'leave', now: Date): PutOutcome => {
    const [present] = plants.byId.all({ id: plant.id }).map(toPlant);
    // There is always one, but the type does not show it.
    if (!present) return 'unchanged';
    const change = applyImport(present, plant, onTaken, now);
    if (change.outcome === 'replaced') {
      plants.replace.run(toPlantRow(change.record));
      events.append(change.event);
    }
    return change.outcome;
  };

  return (batch: readonly ImportedPlant[], onTaken: 'replace' | 'leave', now: Date): PutOutcome[] => {
    const free = new Set(plants.insertFree(batch.map((plant) => recordImport(plant, now))));
    // Of two plants with one id the first is created.
    const isCreated = batch.map(({ id }) => free.delete(id));
    events.appendCreated(
      batch.filter((_, index) => isCreated[index]),
      now,
    );
    return batch.map((plant, index) => (isCreated[index] ? 'created' : putTaken(plant, onTaken, now)));
  };
};

async function* scan({ borrow }: Connection): AsyncGenerator<readonly PlantRecord[]> {
  try {
    using borrowed = borrow();
    const { client, isOwn } = borrowed;
    const { page } = preparePlantQueries(client);
    // The snapshot begins with the first read, and ends with the client.
    if (isOwn) client.run('BEGIN');
    yield* pagesOf((from, limit) => page.all({ from, limit }).map(toPlant));
  } catch (error) {
    throw toAppError(error, 'read');
  }
}
