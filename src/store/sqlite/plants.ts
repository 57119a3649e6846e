import { eq, sql } from 'drizzle-orm';
import { plants } from '../../../db/sqlite.ts';
import { AppError } from '../../domain/error.ts';
import { isSamePlant, type PlantRecord } from '../../domain/plant.ts';
import type { PlantStore } from '../store.ts';
import type { Connection } from './connection.ts';

export const createPlantStore = ({ db, read, commit }: Connection): PlantStore => {
  const select = db
    .select()
    .from(plants)
    .where(eq(plants.id, sql.placeholder('id')))
    .prepare();
  const insert = db
    .insert(plants)
    .values({
      id: sql.placeholder('id'),
      name: sql.placeholder('name'),
      tag: sql.placeholder('tag'),
      createdAt: sql.placeholder('now'),
      updatedAt: sql.placeholder('now'),
    })
    .onConflictDoNothing()
    .returning()
    .prepare();

  const find = (id: bigint): PlantRecord | undefined => {
    const row = select.get({ id });
    return row && toRecord(row);
  };

  return {
    create: (plant) =>
      commit(() => {
        const { id, name, tag = null } = plant;
        const inserted = insert.get({ id, name, tag, now: new Date().toISOString() });
        if (inserted) return toRecord(inserted);
        const present = find(id);
        if (present && isSamePlant(present, plant)) return present;
        throw new AppError('id_taken', 'The id belongs to another plant.');
      }),
    get: (id) => read(() => find(id)),
  };
};

const toRecord = ({ tag, ...row }: typeof plants.$inferSelect): PlantRecord => (tag === null ? row : { ...row, tag });
