import { and, asc, count, eq, gte, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { plants } from '../../../db/sqlite.ts';
import type { PlantRecord } from '../../domain/plant.ts';

/** Every statement on plants, each prepared once for a client. */
export const preparePlantQueries = (db: BunSQLiteDatabase) => {
  const from = gte(plants.id, sql.placeholder('from'));
  const isTagged = eq(plants.tag, sql.placeholder('tag'));
  const isId = eq(plants.id, sql.placeholder('id'));
  const limit = sql.placeholder('limit');
  /** As SQL, since an update takes no bare placeholder. */
  const given = (column: string) => sql`${sql.placeholder(column)}`;
  const changed = {
    name: given('name'),
    tag: given('tag'),
    createdAt: given('createdAt'),
    updatedAt: given('updatedAt'),
  };
  const row = { id: sql.placeholder('id'), ...changed };
  return {
    byId: db.select().from(plants).where(isId).prepare(),
    page: db.select().from(plants).where(from).orderBy(asc(plants.id)).limit(limit).prepare(),
    pageOfTag: db.select().from(plants).where(and(isTagged, from)).orderBy(asc(plants.id)).limit(limit).prepare(),
    /** Throws for an id that is taken: to ask first, or for what was inserted, costs as much again. */
    insert: db.insert(plants).values(row).prepare(),
    /** Gives the id back, or nothing when it is taken. */
    insertIfFree: db.insert(plants).values(row).onConflictDoNothing().returning({ id: plants.id }).prepare(),
    replace: db.update(plants).set(changed).where(isId).prepare(),
    remove: db.delete(plants).where(isId).prepare(),
    count: db.select({ total: count() }).from(plants).prepare(),
  };
};

type PlantRow = typeof plants.$inferSelect;

/** Member by member, since a copy by spreading costs a list a tenth of its time. */
export const toRecord = ({ id, name, tag, createdAt, updatedAt }: PlantRow): PlantRecord =>
  tag === null ? { id, name, createdAt, updatedAt } : { id, name, tag, createdAt, updatedAt };

export const toRow = ({ id, name, tag, createdAt, updatedAt }: PlantRecord) => ({
  id,
  name,
  tag: tag ?? null,
  createdAt,
  updatedAt,
});
