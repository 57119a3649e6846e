import { createPlant, getPicture, getPlant, listPlants, putPicture, updatePlant } from '../generated/orval.ts';
import { blobOf, etagOf, type PlantClient } from './plants.ts';

export const client: PlantClient = {
  create: (plant) => createPlant(plant),
  list: async () => {
    const { status, data } = await listPlants();
    return status === 200 ? data : [];
  },
  readVersion: async ({ id }) => etagOf((await getPlant(id)).headers),
  rename: ({ id }, name, version) => updatePlant(id, { id, name }, { headers: { 'If-Match': version } }),
  putPicture: ({ id }, picture) => putPicture(id, picture, { headers: { 'Content-Type': picture.type } }),
  getPicture: async ({ id }) => blobOf((await getPicture(id)).data),
};
