import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript.ts';
import { blobOf, etagOf, type PlantClient } from './plants.ts';
import { settings } from './settings.ts';

const api = createClient<paths>({
  baseUrl: settings.url,
  headers: { authorization: `Bearer ${settings.token}` },
  fetch: (request) => settings.fetch(request),
});

export const client: PlantClient = {
  create: (body) => api.POST('/plants', { body }),
  list: async () => (await api.GET('/plants')).data ?? [],
  readVersion: async ({ id }) => etagOf((await api.GET('/plants/{id}', { params: { path: { id } } })).response.headers),
  rename: ({ id }, name, version) =>
    api.PATCH('/plants/{id}', { params: { path: { id }, header: { 'If-Match': version } }, body: { id, name } }),
  putPicture: ({ id }, body) =>
    api.PUT('/plants/{id}/picture', {
      params: { path: { id } },
      headers: { 'content-type': body.type },
      body,
      bodySerializer: () => body,
    }),
  getPicture: async ({ id }) =>
    blobOf((await api.GET('/plants/{id}/picture', { params: { path: { id } }, parseAs: 'blob' })).data),
};
