import { AppError } from '../../domain/error.ts';
import { int64Max, int64Min } from '../../domain/int64.ts';
import { isSamePlant, type NewPlant, type PlantRecord, patchPlant, versionOf } from '../../domain/plant.ts';
import type { PlantStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { appendEvent, type EventQueries } from './event-queries.ts';
import { isTakenKey } from './failure.ts';
import { findPlants, preparePlantQueries, toRow } from './plant-queries.ts';
import { putAll, scan } from './plants-in-bulk.ts';

export const createPlantStore = (connection: Connection, eventQueries: EventQueries): PlantStore => {
  const { read, change, announce } = connection;
  const queries = preparePlantQueries(connection.db);

  const find = (id: bigint): PlantRecord | undefined => findPlants(queries.byId, { id })[0];

  /** Finds the plant that a write is about, or throws what the write is refused with. */
  const expect = (id: bigint, versions: readonly string[] | undefined): PlantRecord => {
    const record = find(id);
    if (!record) throw new AppError('not_found', 'There is no plant with this id.');
    if (versions && !versions.includes(versionOf(record))) {
      throw new AppError('precondition_failed', 'The plant has changed since.');
    }
    return record;
  };

  /** Returns whether the id was free. */
  const insert = (record: PlantRecord): boolean => {
    try {
      queries.insert.run(toRow(record));
      return true;
    } catch (error) {
      if (isTakenKey(error)) return false;
      throw error;
    }
  };

  /** The plant that has the id, when it is the one that was to be created. */
  const expectSame = (plant: NewPlant): PlantRecord => {
    const present = find(plant.id);
    if (present && isSamePlant(present, plant)) return present;
    throw new AppError('id_taken', 'The id belongs to another plant.');
  };

  return {
    create: (plant) =>
      change('event', () => {
        const now = new Date().toISOString();
        const record = { ...plant, createdAt: now, updatedAt: now };
        if (!insert(record)) return expectSame(plant);
        appendEvent(eventQueries, { ...plant, type: 'plant.created', timestamp: now });
        return record;
      }),
    get: (id) => read(() => find(id)),
    list: async ({ limit, after, tag }) => {
      if (after === int64Max) return [];
      const from = after === undefined ? int64Min : after + 1n;
      return read(() =>
        tag === undefined
          ? findPlants(queries.page, { from, limit })
          : findPlants(queries.pageOfTag, { from, limit, tag }),
      );
    },
    update: (id, patch, versions) =>
      change('event', () => {
        const before = expect(id, versions);
        const after = patchPlant(before, patch, new Date());
        if (after !== before) {
          queries.replace.run(toRow(after));
          appendEvent(eventQueries, { ...after, type: 'plant.updated', timestamp: after.updatedAt });
        }
        return after;
      }),
    delete: (id, versions) =>
      change('event', () => {
        expect(id, versions);
        queries.remove.run({ id });
        appendEvent(eventQueries, { type: 'plant.deleted', timestamp: new Date().toISOString(), id });
      }),
    putAll: async (fill) => {
      const result = await putAll(connection, fill);
      announce('event');
      return result;
    },
    scan: () => scan(connection),
    count: () => read(() => queries.count.get()?.total ?? 0),
  };
};
