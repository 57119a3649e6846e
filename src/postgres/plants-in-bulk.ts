/**
 * An import or an export of all plants, in one transaction on a separate connection. The events of an import are collected in a
 * temporary table and appended at its end, so that other writes wait only for the last step, unless they need the same plants.
 */
import { setImmediate } from 'node:timers/promises';
import { pagesOf } from '../base/page.ts';
import type { PlantEvent } from '../events/event.ts';
import { applyImport, type ImportedPlant, type PlantRecord, recordImport } from '../plants/plant.ts';
import { reportImports } from '../store/observer.ts';
import type { PlantStore, PutOutcome, PutPlants } from '../store/store.ts';
import { type Collection, createCollection } from './log.ts';
import { columns, insertFrom, lockPlants, logged, memberNames, readPlants, replacePlants } from './plant-queries.ts';
import type { Database } from './session/database.ts';
import { isTaken, throwOfCommit, toAppError, withStepDeadline } from './session/errors.ts';
import { beginLong, type Session } from './session/session.ts';

export const createBulkStore = (database: Database): Pick<PlantStore, 'putAll' | 'scan'> => ({
  putAll: reportImports((fill) => putAll(database, fill), database.observer),
  scan: () => scan(database),
});

const putAll = async <Result>(
  { borrow, announce }: Database,
  fill: (put: PutPlants) => Promise<Result>,
): Promise<Result> => {
  let during: 'write' | 'commit' = 'write';
  try {
    // Without a COMMIT, the end of the session rolls the transaction back.
    using session = await borrow();
    const { sql } = session;
    await beginLong(session, 'write');
    await withStepDeadline(sql`SET LOCAL lock_timeout = 0`);
    const events = await withStepDeadline(createCollection(session));
    const put = createImporter(session, events);
    const result = await fill((plants, onTaken) => withStepDeadline(put(plants, onTaken, new Date())));
    during = 'commit';
    await withStepDeadline(events.append().then(() => sql`COMMIT`)).catch((error) => throwOfCommit(error, session));
    announce('event');
    return result;
  } catch (error) {
    throw toAppError(error, during);
  }
};

async function* scan({ borrow }: Database): AsyncGenerator<readonly PlantRecord[]> {
  try {
    using session = await borrow();
    await beginLong(session, 'snapshot');
    yield* pagesOf((from, limit) => withStepDeadline(readPlants(session, { from, limit })));
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

  /** Stores a batch. `present` has the plants to create, and gets those whose id is taken. */
  const store = async (
    plants: readonly ImportedPlant[],
    present: Map<bigint, PlantRecord>,
    rows: Rows,
    onTaken: OnTaken,
    now: Date,
  ): Promise<PutOutcome[]> => {
    const areFree = wereFree && (await insertFree(session, rows, now, events));
    const created = areFree ? new Set(present.keys()) : await insertAny(session, rows, now, events);
    wereFree = created.size === present.size;

    // Locks the others. Creates those that another process has deleted since.
    let others = [...present.values()].filter(({ id }) => !created.has(id));
    while (others.length > 0) {
      const ids = others.map(({ id }) => id);
      const locked = new Map((await lockPlants(session, ids)).map((plant) => [plant.id, plant]));
      for (const [id, plant] of locked) present.set(id, plant);
      const deleted = others.filter(({ id }) => !locked.has(id));
      if (deleted.length === 0) break;
      const again = await insertAny(session, columns.toArrays(deleted), now, events);
      for (const id of again) created.add(id);
      others = deleted.filter(({ id }) => !created.has(id));
    }

    const replaced = new Map<bigint, PlantRecord>();
    const updates: PlantEvent[] = [];
    /** Puts a plant on the present one, or on the one put before. */
    const putOne = (plant: ImportedPlant): PutOutcome => {
      const before = present.get(plant.id);
      // There is always one, but the type does not show it.
      if (!before) return 'unchanged';
      const change = applyImport(before, plant, onTaken, now);
      if (change.outcome === 'replaced') {
        present.set(plant.id, change.record);
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
    const present = new Map<bigint, PlantRecord>();
    // Of two plants with one id the first is created.
    for (const plant of plants) if (!present.has(plant.id)) present.set(plant.id, recordImport(plant, now));
    const rows = columns.toArrays([...present.values()]);
    const outcomes = earlier.then(() => store(plants, present, rows, onTaken, now));
    earlier = outcomes;
    // Bun writes at the end of a turn: so the next batch is sent before the caller makes another.
    return outcomes.finally(() => setImmediate());
  };
};

/** An array for each column of `plants`. All ids are different. */
type Rows = ReturnType<typeof columns.toArrays>;

/** Inserts the plants whose id is free, in order, with their events. Returns their ids. */
const insertAny = async ({ sql }: Session, rows: Rows, now: Date, events: Collection): Promise<Set<bigint>> => {
  const parameters = [events.collected, now.toISOString(), ...columns.pick(rows)];
  const created = await sql.values<[bigint]>(insertAnyStatement, parameters);
  events.collected += created.length;
  return new Set(created.map(([one]) => one));
};

const insertAnyStatement = `
  WITH created AS (
    ${insertFrom(3)} ON CONFLICT (id) DO NOTHING RETURNING ${logged.names}
  ), collected AS (
    INSERT INTO collected_events (sequence, type, timestamp, plant_id, ${memberNames})
    SELECT $1 + row_number() OVER (), 'plant.created', $2, ${logged.names} FROM created
  )
  SELECT id FROM created`;

/** The same if no id is taken. Otherwise it inserts none and resolves to false. Detecting this by an error is a third faster. */
const insertFree = async ({ sql }: Session, rows: Rows, now: Date, events: Collection): Promise<boolean> => {
  try {
    const [, inserted] = await Promise.all([
      sql`SAVEPOINT free`,
      sql.query(insertFrom(1), columns.pick(rows)),
      sql.query(collectStatement, [events.collected, now.toISOString(), ...logged.pick(rows)]),
      sql`RELEASE SAVEPOINT free`,
    ]);
    events.collected += inserted.count;
    return true;
  } catch (error) {
    if (!isTaken(error)) throw error;
    await sql`ROLLBACK TO SAVEPOINT free`;
    return false;
  }
};

const collectStatement = `
  INSERT INTO collected_events (sequence, type, timestamp, plant_id, ${memberNames})
  SELECT $1 + place, 'plant.created', $2, ${logged.names}
  FROM ${logged.unnest(3)} WITH ORDINALITY AS input (${logged.names}, place)`;
