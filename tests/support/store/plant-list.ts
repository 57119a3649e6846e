import { type Json, parseJson } from '../../../src/base/json.ts';
import type { PlantPage } from '../../../src/plants/paging.ts';
import type { Store } from '../../../src/store/store.ts';

/** The plants of a page, with exact integers. */
export const listPlants = async (
  store: Pick<Store, 'plants'>,
  page: PlantPage,
): Promise<Readonly<Record<string, Json>>[]> => {
  const { json } = await store.plants.list(page);
  return parseJson(new TextDecoder().decode(json)) as Readonly<Record<string, Json>>[];
};
