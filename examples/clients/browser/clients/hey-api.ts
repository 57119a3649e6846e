import { client as api } from '../generated/hey-api/client.gen.ts';
import {
  createPlant,
  getPicture,
  getPlant,
  listPlants,
  putPicture,
  updatePlant,
} from '../generated/hey-api/sdk.gen.ts';
import { blobOf, etagOf, type PlantClient } from './plants.ts';
import { settings } from './settings.ts';

api.setConfig({
  baseUrl: settings.url,
  auth: settings.token,
  fetch: (input, init) => settings.fetch(input, init),
});

export const client: PlantClient = {
  create: (body) => createPlant({ body }),
  list: async () => (await listPlants()).data ?? [],
  readVersion: async ({ id }) => etagOf((await getPlant({ path: { id } })).response?.headers),
  rename: ({ id }, name, version) =>
    updatePlant({ path: { id }, headers: { 'If-Match': version }, body: { id, name } }),
  putPicture: ({ id }, body) =>
    putPicture({ path: { id }, headers: { 'Content-Type': body.type }, body, bodySerializer: null }),
  getPicture: async ({ id }) => blobOf((await getPicture({ path: { id } })).data),
};
