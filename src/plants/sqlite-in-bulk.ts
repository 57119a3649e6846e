import { pagesOf } from '../base/page.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { applyImport, type ImportedPlant, recordImport } from './import.ts';
import type { NewPlant } from './plant.ts';
import { reportImports } from './report-imports.ts';
import { toPlant, toPlantRow } from './row.ts';
import { type AppendEvent, preparePlantQueries } from './sqlite.ts';
import type { PlantStore, PutOutcome } from './store.ts';

interface Log {
  readonly append: AppendEvent;
  appendCreated(plants: readonly NewPlant[], now: Date): void;
}

/** An import or an export of all plants, in one transaction. */
export const createBulkStore = (
  { transact, commitInBulk, readInBulk, now, observer }: Transactions,
  logOf: (client: SqliteClient) => Log,
): Pick<PlantStore, 'putAll' | 'scan'> => ({
  putAll: reportImports(async (fill) => {
    // The writes that wait come first: several imports in turn must not keep them waiting for too long.
    await transact(() => {});
    return commitInBulk((client, nextTurn) => {
      const putBatch = createPutBatch(client, logOf(client));
      return fill(async (plants, onTaken) => {
        const outcomes = putBatch(plants, onTaken, now());
        await nextTurn();
        return outcomes;
      });
    });
  }, observer),
  scan: () =>
    readInBulk((client) => {
      const { page } = preparePlantQueries(client);
      return pagesOf((from, limit) => page().all({ from, limit }).map(toPlant));
    }),
});

/** Inserts the plants whose id is free by one statement, since most are, and the others one by one. */
const createPutBatch = (client: SqliteClient, events: Log) => {
  const plants = preparePlantQueries(client);

  const putTaken = (plant: ImportedPlant, onTaken: 'replace' | 'leave', now: Date): PutOutcome => {
    const [existing] = plants.byId().all({ id: plant.id }).map(toPlant);
    if (!existing) throw new Error(`The plant ${plant.id} is taken and missing.`);
    const change = applyImport(existing, plant, onTaken, now);
    if (change.outcome === 'replaced') {
      plants.replace().run(toPlantRow(change.record));
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
