/** The requests for one plant. */
import type { Api } from '../api/api.ts';
import { expect } from '../api/client.ts';
import { matchOf } from '../api/etag.ts';
import { writeJson } from '../api/json.ts';
import type { PlantAccess } from './access.ts';

/** The compiler cannot know which members are optional. */
type PlantPatch = Parameters<ReturnType<Api['plants']>['patch']>[0];

export const accessTo = (api: Api): PlantAccess => {
  const at = (id: bigint) => api.plants({ id: `${id}` });
  const headersOf = (match: string | undefined) => ({ headers: match === undefined ? {} : { 'If-Match': match } });
  return {
    read: async (id) => {
      const { data, response } = await expect(at(id).get());
      return { plant: data, match: matchOf(response.headers.get('etag')) };
    },
    change: async (id, patch, match) => (await expect(at(id).patch(patch as PlantPatch, headersOf(match)))).data,
    remove: async (id, match) => void (await expect(at(id).delete(null, headersOf(match)))),
    create: async (id, values) =>
      // Eden sends a text as it is, and the types know only the object.
      void (await expect(
        api.plants.post(writeJson({ id, ...values }) as never, { headers: { 'content-type': 'application/json' } }),
      )),
  };
};
