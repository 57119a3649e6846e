import { currentTrace } from '../base/trace-context.ts';
import { toPage } from '../plants/paging.ts';
import { applyCreate, applyDelete, applyUpdate, type PlantRecord, repeatCreate } from '../plants/plant.ts';
import type { PlantStore } from '../plants/store.ts';
import type { PlantBatcher } from './plant-batches.ts';
import type { PlantCommand } from './plant-commands.ts';
import { countPlantsUpTo, findPlantPage } from './plant-lists.ts';
import { countPlants, findPlants } from './plant-queries.ts';
import type { Database } from './session/database.ts';
import { createLoader } from './session/loader.ts';

/** Works on single plants and pages. The rest of the store is in `plants-in-bulk.ts`. */
export const createPlantStore = (
  { read, readList, announce }: Database,
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
    list: async (page) => toPage(await readList((session) => findPlantPage(session, page))),
    find: (page) => readList((session) => findPlantPage(session, page)),
    countUpTo: (limit, tags) => readList((session) => countPlantsUpTo(session, limit, tags)),
    update: (id, patch, versions) =>
      keep({ id, decide: (existing, now) => applyUpdate(existing, patch, versions, now) }),
    delete: async (id, versions) => {
      await changePlant({ id, decide: (existing, now) => ({ event: applyDelete(existing, versions, now) }) });
    },
    count: () => read(countPlants),
  };
};

type Untraced<Command> = Omit<Command, 'traceparent'>;
