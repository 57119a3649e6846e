import { int64Max, int64Min } from '../base/int64.ts';
import { emptyPage, toJsonPage } from '../base/page.ts';
import { currentTrace } from '../base/trace-context.ts';
import { applyCreate, applyDelete, applyUpdate, type PlantRecord, plantToJson, repeatCreate } from '../plants/plant.ts';
import type { PlantStore } from '../store/store.ts';
import type { PlantBatcher } from './plant-batches.ts';
import type { PlantCommand } from './plant-commands.ts';
import { countPlants, findPlants, readPlants } from './plant-queries.ts';
import type { Database } from './session/database.ts';
import { createLoader } from './session/loader.ts';

/** Works on single plants and pages. The rest of the store is in `plants-in-bulk.ts`. */
export const createPlantStore = (
  { read, announce }: Database,
  { add }: PlantBatcher,
): Omit<PlantStore, 'putAll' | 'scan'> => {
  const changePlant = async (command: Untraced<PlantCommand>): Promise<PlantRecord | undefined> => {
    const traceparent = currentTrace();
    const record = await add({ ...command, traceparent }, traceparent);
    announce('event');
    return record;
  };

  const keep = async (command: Untraced<PlantCommand>): Promise<PlantRecord> => {
    const record = await changePlant(command);
    if (!record) throw new Error('A command that keeps its plant has removed it.');
    return record;
  };

  return {
    create: (plant) =>
      keep({
        id: plant.id,
        creates: plant,
        decide: (existing, now) => (existing ? { record: repeatCreate(existing, plant) } : applyCreate(plant, now)),
      }),
    get: createLoader(async (ids: readonly bigint[], endsAtMs) => {
      const found = await read((session) => findPlants(session, ids), endsAtMs);
      return new Map(found.map((plant) => [plant.id, plant]));
    }),
    list: async ({ limit, after, tag }) => {
      if (after === int64Max) return emptyPage;
      const from = after === undefined ? int64Min : after + 1n;
      const found = await read((session) => readPlants(session, { from, limit: limit + 1, tag }));
      return toJsonPage(found, limit, {
        toJson: (plant) => JSON.stringify(plantToJson(plant)),
        keyOf: ({ id }) => id,
      });
    },
    update: (id, patch, versions) =>
      keep({ id, decide: (existing, now) => applyUpdate(existing, patch, versions, now) }),
    delete: async (id, versions) => {
      await changePlant({ id, decide: (existing, now) => ({ event: applyDelete(existing, versions, now) }) });
    },
    count: () => read(countPlants),
  };
};

type Untraced<Command> = Omit<Command, 'traceparent'>;
