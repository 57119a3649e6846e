import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { events } from '../../../db/sqlite.ts';
import { int64ToJson } from '../../base/int64.ts';
import type { PlantEvent, Sequenced } from '../../domain/event.ts';
import type { NewPlant } from '../../domain/plant.ts';

/** Statements on events, each prepared once for a client. */
export const prepareEventQueries = (db: BunSQLiteDatabase) => {
  const isAfter = gt(events.sequence, sql.placeholder('after'));
  const isType = eq(events.type, sql.placeholder('type'));
  const limit = sql.placeholder('limit');
  const select = () => db.select().from(events);
  return {
    append: db
      .insert(events)
      .values({
        // SQLite puts in one more than the largest.
        sequence: sql`NULL`,
        type: sql.placeholder('type'),
        timestamp: sql.placeholder('timestamp'),
        plantId: sql.placeholder('plantId'),
        name: sql.placeholder('name'),
        tag: sql.placeholder('tag'),
      })
      .prepare(),
    /** For many plants as JSON, each a list of id, name and tag. */
    appendCreated: db
      .insert(events)
      .select(
        sql`SELECT NULL, 'plant.created', ${sql.placeholder('timestamp')}, value ->> 0, value ->> 1, value ->> 2
          FROM json_each(${sql.placeholder('plants')})`,
      )
      .prepare(),
    bySequence: select()
      .where(eq(events.sequence, sql.placeholder('sequence')))
      .prepare(),
    page: select().where(isAfter).orderBy(asc(events.sequence)).limit(limit).prepare(),
    pageOfType: select().where(and(isType, isAfter)).orderBy(asc(events.sequence)).limit(limit).prepare(),
    oldest: select().orderBy(asc(events.sequence)).limit(limit).prepare(),
    newest: select().orderBy(desc(events.sequence)).limit(1).prepare(),
  };
};

export type EventQueries = ReturnType<typeof prepareEventQueries>;
export type EventRow = typeof events.$inferSelect;

export const appendEvent = (queries: EventQueries, event: PlantEvent): void => {
  const { type, timestamp, id: plantId } = event;
  const [name, tag] = event.type === 'plant.deleted' ? [null, null] : [event.name, event.tag ?? null];
  queries.append.run({ type, timestamp, plantId, name, tag });
};

/** Appends the creation of each of these, in their order. */
export const appendCreated = (queries: EventQueries, plants: readonly NewPlant[], now: Date): void => {
  const rows = plants.map(({ id, name, tag }) => [int64ToJson(id), name, tag ?? null]);
  queries.appendCreated.run({ timestamp: now.toISOString(), plants: JSON.stringify(rows) });
};

/** Throws for a row that this program has not written. */
export const toEvent = ({ sequence, type, timestamp, plantId, name, tag }: EventRow): Sequenced<PlantEvent> => {
  if (plantId !== null) {
    if (type === 'plant.deleted') return { sequence, type, timestamp, id: plantId };
    if ((type === 'plant.created' || type === 'plant.updated') && name !== null)
      return { sequence, type, timestamp, id: plantId, name, ...(tag !== null && { tag }) };
  }
  throw new Error(`event ${sequence} has a type or a content that is not known`);
};
