/** The requests for lists of plants. */
import type { Api } from '../api/api.ts';
import { expect, nextCursorOf } from '../api/client.ts';
import type { ListPlace } from './list-place.ts';
import type { Plant } from './members.ts';

export interface Page {
  readonly plants: readonly Plant[];
  /** The cursor of the next page, if there is one. */
  readonly next: string | undefined;
  /** Null if the service has not counted. */
  readonly total: string | null;
}

const pageSize = 50;
const largestPage = 1000;

const queryOf = ({ search, tags, sort }: ListPlace) => ({
  sort,
  ...(search !== '' && { search }),
  ...(tags.length > 0 && { tag: [...tags] }),
});

/** The query of an export, which has the filter of the list. */
export const exportQueryOf = ({ search, tags }: ListPlace): URLSearchParams =>
  new URLSearchParams([...tags.map((tag) => ['tag', tag]), ...(search === '' ? [] : [['search', search]])]);

/** A search looks at a part of the store for each response, which can be empty. So many are read for one page. */
const partsMax = 20;

export const readPage = async (api: Api, place: ListPlace): Promise<Page> => {
  // A search for names has no count.
  const query = { ...queryOf(place), limit: pageSize, ...(place.search === '' && { count: true }) };
  let after = place.after;
  for (let part = 1; ; part += 1) {
    const { data, response } = await expect(
      api.plants.get({ query: { ...query, ...(after !== undefined && { after }) } }),
    );
    after = nextCursorOf(response);
    if (data.length > 0 || after === undefined || part === partsMax)
      return { plants: data, next: after, total: response.headers.get('x-total-count') };
  }
};

/** All plants that fit the filter, whatever the page. */
export const readAll = async (
  api: Api,
  place: ListPlace,
  onProgress: (count: number) => void,
): Promise<readonly Plant[]> => {
  const plants: Plant[] = [];
  let after: string | undefined;
  do {
    const query = { ...queryOf(place), limit: largestPage, ...(after !== undefined && { after }) };
    const { data, response } = await expect(api.plants.get({ query }));
    plants.push(...data);
    after = nextCursorOf(response);
    onProgress(plants.length);
  } while (after !== undefined);
  return plants;
};
