/**
 * An import or an export of all plants, in one transaction on a separate connection. The events of an import are collected in a
 * temporary table and appended at its end, so that other writes wait only for the last step, unless they need the same plants.
 */
import { setImmediate } from 'node:timers/promises';
import { pagesOf } from '../base/page.ts';
import { applyImport, type ImportedPlant, recordImport } from '../plants/import.ts';
import type { PlantEvent, PlantRecord } from '../plants/plant.ts';
import { reportImports } from '../plants/report-imports.ts';
import type { PlantStore, PutOutcome, PutPlants } from '../plants/store.ts';
import { type Collection, createCollection } from './log.ts';
import { insertPlants, lockPlants, type PlantArrays, readPlants, replacePlants, toArrays } from './plant-queries.ts';
import type { Database } from './session/database.ts';
import { isTaken, toAppError } from './session/errors.ts';
import { beginLong, type Session, writeLong } from './session/session.ts';
import { collectCreated } from './sql-statements.ts';

export const createBulkStore = (database: Database): Pick<PlantStore, 'putAll' | 'scan'> => ({
  putAll: reportImports((fill) => putAll(database, fill), database.observer),
  scan: () => scan(database),
});

const putAll = async <Result>(
  { borrow, announce }: Database,
  fill: (put: PutPlants) => Promise<Result>,
): Promise<Result> => {
  using session = await borrow('write');
  const result = await writeLong(session, async () => {
    await session.query('SET LOCAL lock_timeout = 0');
    const events = await createCollection(session);
    const put = createImporter(session, events);
    const filled = await fill((plants, onTaken) => put(plants, onTaken, new Date()));
    await events.append();
    return filled;
  });
  announce('event');
  return result;
};

async function* scan({ borrow }: Database): AsyncGenerator<readonly PlantRecord[]> {
  using session = await borrow('read');
  try {
    await beginLong(session, 'snapshot');
    yield* pagesOf((from, limit) => readPlants(session, from, limit));
  } catch (error) {
    throw toAppError(error, 'read');
  }
}

type OnTaken = 'replace' | 'leave';

/** Puts plants in the store. A batch may be put before the previous one is stored: it is encoded while PostgreSQL works. */
const createImporter = (session: Session, events: Collection) => {
  let earlier: Promise<unknown> = Promise.resolve();
  /** In most imports all ids are free, and in the others most are taken. */
  let wereFree = true;

  /** Stores a batch. `records` has a plant for each id, and `arrays` the same plants. */
  const store = async (
    plants: readonly ImportedPlant[],
    records: ReadonlyMap<bigint, PlantRecord>,
    arrays: PlantArrays,
    onTaken: OnTaken,
    now: Date,
  ): Promise<PutOutcome[]> => {
    const existing = new Map<bigint, PlantRecord>();
    let isDone = wereFree && (await create(session, arrays, now, events));
    wereFree = isDone;
    // It fails only if another process has created one of them since they were looked up.
    while (!isDone) {
      for (const plant of await lockPlants(session, [...records.keys()])) existing.set(plant.id, plant);
      const free = [...records.values()].filter(({ id }) => !existing.has(id));
      wereFree = free.length === records.size;
      isDone = free.length === 0 || (await create(session, toArrays(free), now, events));
    }

    const created = new Set(records.keys()).difference(existing);
    const current = new Map([...records, ...existing]);
    const replaced = new Map<bigint, PlantRecord>();
    const updates: PlantEvent[] = [];
    /** Puts a plant on the existing one, or on the one put before. */
    const putOne = (plant: ImportedPlant): PutOutcome => {
      const before = current.get(plant.id);
      if (!before) throw new Error(`The plant ${plant.id} is taken and missing.`);
      const change = applyImport(before, plant, onTaken, now);
      if (change.outcome === 'replaced') {
        current.set(plant.id, change.record);
        replaced.set(plant.id, change.record);
        updates.push(change.event);
      }
      return change.outcome;
    };
    const outcomes = plants.map((plant) => (created.delete(plant.id) ? 'created' : putOne(plant)));
    if (replaced.size > 0) await replacePlants(session, [...replaced.values()]);
    if (updates.length > 0) await events.collect(updates);
    return outcomes;
  };

  return (plants: readonly ImportedPlant[], onTaken: OnTaken, now: Date): Promise<PutOutcome[]> => {
    const records = new Map<bigint, PlantRecord>();
    // Of two plants with one id the first is created.
    for (const plant of plants) if (!records.has(plant.id)) records.set(plant.id, recordImport(plant, now));
    const arrays = toArrays([...records.values()]);
    const outcomes = earlier.then(() => store(plants, records, arrays, onTaken, now));
    earlier = outcomes;
    // Bun writes at the end of a turn: so the next batch is sent before the caller makes another.
    return outcomes.finally(() => setImmediate());
  };
};

/** Creates plants, with their events in this order. Creates none and resolves to false if an id is taken. */
const create = async (session: Session, plants: PlantArrays, now: Date, events: Collection): Promise<boolean> => {
  const { query } = session;
  try {
    const [, , collected] = await Promise.all([
      query('SAVEPOINT free'),
      insertPlants(session, plants),
      collectCreated(session, { ...plants, collected: events.collected, now: now.toISOString() }),
      query('RELEASE SAVEPOINT free'),
    ]);
    events.collected += collected.count;
    return true;
  } catch (error) {
    if (!isTaken(error)) throw error;
    await query('ROLLBACK TO SAVEPOINT free');
    return false;
  }
};
