import { and, asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { events } from '../../../db/sqlite.ts';
import { manyRows, placeholdersOf } from './columns.ts';
import type { toPlantColumns } from './plant-rows.ts';

/** Statements on events, each prepared once for a client. */
export const prepareEventQueries = (db: BunSQLiteDatabase) => {
  const isAfter = gt(events.sequence, sql.placeholder('after'));
  const isType = eq(events.type, sql.placeholder('type'));
  const limit = sql.placeholder('limit');
  const select = () => db.select().from(events);
  const created = manyRows(events, {
    sequence: sql`NULL`,
    type: sql`'plant.created'`,
    timestamp: sql`${sql.placeholder('timestamp')}`,
  });
  const appendMany = db.insert(events).select(created.select).prepare();
  return {
    append: db
      .insert(events)
      .values(placeholdersOf(getTableColumns(events)))
      .prepare(),
    /** Appends the creation of each of these, in their order. */
    appendCreated: (rows: readonly ReturnType<typeof toPlantColumns>[], now: Date): void =>
      appendMany.run({ rows: created.encode(rows), timestamp: now.toISOString() }),
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
