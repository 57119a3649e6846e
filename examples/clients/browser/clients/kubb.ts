import { createPlant, getPlant, listPlants, updatePlant } from '../generated/kubb/clients.ts';
import { etagOf, type PlantClient } from './plants.ts';

export const client: PlantClient = {
  create: (plant) => createPlant(plant),
  list: async () => (await listPlants()).data,
  readVersion: async ({ id }) => etagOf((await getPlant(id)).headers),
  rename: ({ id }, name, version) => updatePlant(id, { id, name }, { 'If-Match': version }),
};
