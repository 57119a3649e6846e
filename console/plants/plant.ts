import type { Api } from '../api/api.ts';
import { expect } from '../api/client.ts';
import type { Draft, Member, Plant } from './draft.ts';

/** A plant as it is stored, and its version. */
export interface Stored {
  readonly plant: Plant;
  readonly etag: string;
}

export const getPlant = async (api: Api, id: string): Promise<Stored> => {
  const { data, response } = await expect(api.plants({ id }).get());
  return { plant: data, etag: response.headers.get('etag') ?? '' };
};

/** Throws Problem 412 if the plant has another version. */
export const updatePlant = async (api: Api, { id, name, tag }: Draft, etag: string): Promise<void> => {
  const patch = { name, tag: tag ?? null } satisfies Record<Exclude<Member, 'id'>, unknown>;
  await expect(api.plants({ id }).patch(patch, { headers: { 'If-Match': etag } }));
};

export const deletePlant = async (api: Api, { plant, etag }: Stored): Promise<void> => {
  await expect(api.plants({ id: `${plant.id}` }).delete(null, { headers: { 'If-Match': etag } }));
};
