import { configureStore } from '@reduxjs/toolkit';
import { enhancedApi, type PlantRecordRead } from '../generated/rtk-query.ts';
import { etagOf, type PlantClient } from './plants.ts';

/** A result of RTK Query has no headers. */
const versions = new Map<string, string>();
const api = enhancedApi.enhanceEndpoints({
  endpoints: {
    getPlant: {
      transformResponse: (plant: PlantRecordRead, meta) => {
        versions.set(plant.id, etagOf(meta?.response?.headers));
        return plant;
      },
    },
  },
});

const { createPlant, getPicture, getPlant, listPlants, putPicture, updatePlant } = api.endpoints;
const { dispatch } = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
});
const fresh = { forceRefetch: true, subscribe: false };

export const client: PlantClient = {
  create: (newPlant) => dispatch(createPlant.initiate({ newPlant })),
  list: async () => (await dispatch(listPlants.initiate({}, fresh))).data ?? [],
  readVersion: async ({ id }) => {
    await dispatch(getPlant.initiate({ id }, fresh));
    return versions.get(id) ?? '';
  },
  rename: ({ id }, name, version) =>
    dispatch(updatePlant.initiate({ id, 'If-Match': version, plantPatch: { id, name } })),
  putPicture: ({ id }, body) => dispatch(putPicture.initiate({ id, body })),
  getPicture: async ({ id }) => {
    const { data: address } = await dispatch(getPicture.initiate({ id }, fresh));
    const picture = await (await fetch(address)).blob();
    URL.revokeObjectURL(address);
    return picture;
  },
};
