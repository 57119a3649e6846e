import { int64Max, int64Min } from '../../base/int64.ts';
import type { PlantRecord } from '../../domain/plant.ts';
import { createPlant, deletePlant, repeatCreation, updatePlant } from '../../domain/plant.ts';
import type { PlantStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { EventQueries } from './event-queries.ts';
import { isTakenKey } from './failure.ts';
import { findPlants, preparePlantQueries } from './plant-queries.ts';
import { toEventRow, toRow } from './plant-rows.ts';
import { putAll, scan } from './plants-in-bulk.ts';

export const createPlantStore = (connection: Connection, eventQueries: EventQueries): PlantStore => {
  const { read, change, announce } = connection;
  const queries = preparePlantQueries(connection.db);

  const find = (id: bigint): PlantRecord | undefined => findPlants(queries.byId, { id })[0];

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

  return {
    create: (plant) =>
      change('event', () => {
        const { record, event } = createPlant(plant, new Date());
        if (!insert(record)) return repeatCreation(find(plant.id), plant);
        eventQueries.append.run(toEventRow(event));
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
        const { record, event } = updatePlant(find(id), patch, versions, new Date());
        if (event) {
          queries.replace.run(toRow(record));
          eventQueries.append.run(toEventRow(event));
        }
        return record;
      }),
    delete: (id, versions) =>
      change('event', () => {
        const event = deletePlant(find(id), versions, new Date());
        queries.remove.run({ id });
        eventQueries.append.run(toEventRow(event));
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
