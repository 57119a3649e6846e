/**
 * The pages of a list of plants. An engine asks `planPage` what to read, and `endOfPage` where the next page begins. It knows only how to
 * read: see `sqlite-lists.ts` and `postgres/plant-lists.ts`.
 */
import type { JsonPage, Page } from '../base/page.ts';
import { lowerAscii } from '../base/text.ts';
import { isByTime, type PlantOrder, type PlantPlace, placeIn, startAfter } from './order.ts';
import { type PlantRecord, plantToJson } from './plant.ts';

export interface PlantPage extends Page<PlantPlace> {
  /** By ascending id if it is omitted. */
  readonly order?: PlantOrder | undefined;
  /** Only plants with exactly one of these tags, at most `tagsMax`. If there are none, plants with any tag or without one. */
  readonly tags?: readonly string[] | undefined;
  /** Only plants whose name begins with these code points. */
  readonly name?: string | undefined;
  /** Only plants whose name contains this text, with A to Z in any case. */
  readonly search?: string | undefined;
}

/** In a list. */
export const tagsMax = 10;

/** How a page is read. */
export interface PageKind {
  readonly order: PlantOrder;
  /** The number of tags that the index finds. */
  readonly tags: number;
  /** Whether there is a filter without an index. */
  readonly isFiltered: boolean;
}

export type Filters = Pick<PlantPage, 'order' | 'tags' | 'name' | 'search'>;

/** The index has the ids of a tag in order. Those of several tags are merged, which would take too long for the many plants of a filter. */
export const kindOf = ({ order = 'id', tags = [], name = '', search = '' }: Filters): PageKind => {
  const isByName = name !== '' || search !== '';
  const isByIndex = !isByTime(order) && (!isByName || tags.length === 1);
  return { order, tags: isByIndex ? tags.length : 0, isFiltered: isByName || (tags.length > 0 && !isByIndex) };
};

/** Whether a plant fits the filters, without an index. */
export const fitsFilters = ({ tags = [], name = '', search = '' }: Filters): ((plant: PlantRecord) => boolean) => {
  const [tagSet, part] = [new Set<string | undefined>(tags), lowerAscii(search)];
  return (plant) =>
    plant.name.startsWith(name) &&
    (part === '' || lowerAscii(plant.name).includes(part)) &&
    (tagSet.size === 0 || tagSet.has(plant.tag));
};

/** How many rows of an order by id a plant of this list costs: it is anywhere in the table, or several indexes are merged. */
export const rowsOfPlant = ({ order, tags }: PageKind): number => (isByTime(order) ? 5 : Math.max(1, tags));

/** @limit Plants | Plants by id that a page with a filter without an index looks at | the page ends earlier */
export const scannedByIdMax = 10_000;

/**
 * Fewer, since plants that follow each other in time can be anywhere in the table.
 *
 * @limit Plants | Plants by time that a page with a filter without an index looks at | the page ends earlier
 */
export const scannedByTimeMax = 1000;

/** The steps of such a page. The store reads one at a time, in a millisecond at most. */
export const scanSteps = 10;

export const scannedInStep = (order: PlantOrder): number =>
  (isByTime(order) ? scannedByTimeMax : scannedByIdMax) / scanSteps;

export interface PagePlan extends PageKind {
  readonly start: PlantPlace;
  readonly limit: number;
}

/** What to read for a page. Undefined if nothing comes after its place, so that it is empty. */
export const planPage = (page: PlantPage): PagePlan | undefined => {
  const kind = kindOf(page);
  const start = startAfter(kind.order, page.after);
  return start && { ...kind, start, limit: page.limit };
};

/** The last one of a number of plants, and the one after it. Undefined if there are fewer. */
export type Edge = readonly (PlantPlace | undefined)[];

/**
 * The place after which the next page begins: after the last plant of a full page, or else after the last one that a page with a filter looks
 * at. Undefined if there is nothing after it.
 */
export const endOfPage = (
  { order, isFiltered }: PageKind,
  listed: Edge,
  scanned: () => Edge,
): PlantPlace | undefined => {
  const [last, next] = listed[1] || !isFiltered ? listed : scanned();
  return last && next && placeIn(order, last);
};

/** A page as records. */
export interface FoundPlants<Place = PlantPlace> {
  readonly plants: readonly PlantRecord[];
  readonly end?: Place | undefined;
}

export const noPlants: FoundPlants<never> = { plants: [] };

/** The page of these plants, which fit the filters. There is one more than its limit if there are so many. */
export const takePage = (plan: PagePlan, found: readonly PlantRecord[], scanned: () => Edge): FoundPlants => ({
  plants: found.slice(0, plan.limit),
  end: endOfPage(plan, [found[plan.limit - 1], found[plan.limit]], scanned),
});

export const toPage = <Place>({ plants, end }: FoundPlants<Place>): JsonPage<Place> => ({
  items: plants.length,
  json: Buffer.from(JSON.stringify(plants.map(plantToJson))),
  end,
});
