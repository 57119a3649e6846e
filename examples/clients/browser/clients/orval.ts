import { createPlant, getPlant, listPlants, updatePlant } from '../generated/orval.ts';
import { etagOf, type PlantClient } from './plants.ts';

export const client: PlantClient = {
  create: (plant) => createPlant(plant),
  list: async () => {
    const { status, data } = await listPlants();
    return status === 200 ? data : [];
  },
  readVersion: async ({ id }) => etagOf((await getPlant(id)).headers),
  rename: ({ id }, name, version) => updatePlant(id, { id, name }, { headers: { 'If-Match': version } }),
};
