import { count } from 'drizzle-orm';
import { plants } from '../../../db/postgres.ts';
import { int64Max, int64Min } from '../../base/int64.ts';
import { emptyPage, toJsonPage } from '../../base/page.ts';
import { type PlantRecord, plantToJson } from '../../domain/plant.ts';
import type { PlantStore } from '../store.ts';
import { type PlantBatcher, type PlantCommand, toCreate, toDelete, toUpdate } from './plant-batch.ts';
import { findPlants, readPlants } from './plant-queries.ts';
import type { Connection } from './session/database.ts';
import { createLookUp } from './session/loader.ts';

/** Works on single plants and pages. The rest of the store is in `plants-in-bulk.ts`. */
export const createPlantStore = (
  { read, announce }: Connection,
  { add }: PlantBatcher,
): Omit<PlantStore, 'putAll' | 'scan'> => {
  const change = async (command: PlantCommand): Promise<PlantRecord | undefined> => {
    const record = await add(command, command.traceparent);
    announce('event');
    return record;
  };

  const keep = async (command: PlantCommand): Promise<PlantRecord> => {
    const record = await change(command);
    if (!record) throw new Error('A command that keeps its plant has removed it.');
    return record;
  };

  return {
    create: (plant, traceparent) => keep(toCreate(plant, traceparent)),
    get: createLookUp(async (ids: readonly bigint[], endsAtMs) => {
      const found = await read((client) => findPlants(client, ids), endsAtMs);
      return new Map(found.map((plant) => [plant.id, plant]));
    }),
    list: async ({ limit, after, tag }) => {
      if (after === int64Max) return emptyPage;
      const from = after === undefined ? int64Min : after + 1n;
      const found = await read((client) => readPlants(client, { from, limit: limit + 1, tag }));
      return toJsonPage(found, limit, {
        toJson: (plant) => JSON.stringify(plantToJson(plant)),
        placeOf: ({ id }) => id,
      });
    },
    update: (id, patch, versions, traceparent) => keep(toUpdate(id, patch, versions, traceparent)),
    delete: async (id, versions, traceparent) => void (await change(toDelete(id, versions, traceparent))),
    count: () =>
      read(async ({ db }) => {
        const [row] = await db.select({ total: count() }).from(plants);
        return row?.total ?? 0;
      }),
  };
};
