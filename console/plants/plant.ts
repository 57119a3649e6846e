import type { Api, Data } from '../api/client.ts';
import { expect } from '../api/client.ts';

export type Plant = Data<ReturnType<Api['plants']>['get']>;

/** What a form has. Without a tag, the plant has none; an empty tag is another value. */
export interface Draft {
  readonly id: string;
  readonly name: string;
  readonly tag: string | undefined;
}

export const draftOf = ({ id, name, tag }: Plant): Draft => ({ id: `${id}`, name, tag });

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
  await expect(api.plants({ id }).patch({ name, tag: tag ?? null }, { headers: { 'If-Match': etag } }));
};

export const deletePlant = async (api: Api, { plant, etag }: Stored): Promise<void> => {
  await expect(api.plants({ id: `${plant.id}` }).delete(null, { headers: { 'If-Match': etag } }));
};
