/**
 * Lists of plants by name, in the order of code points. They have no index: its pages would be written in random order, and a create would take
 * 20 % more CPU on PostgreSQL and 60 % more on SQLite. So each page looks at all plants that fit its filters, in the steps of a long read, and
 * keeps the first ones after its place. A plant that does not change meanwhile is in one page.
 */
import { AppError } from '../base/app-error.ts';
import type { JsonPage } from '../base/page.ts';
import { withCommas } from '../base/text.ts';
import { invalidParameters } from '../http/faults.ts';
import { stepRowsMax } from '../http/long-reads.ts';
import { beginLongRead } from '../http/paging.ts';
import {
  expectPlaceByName,
  isDescending,
  type NameOrder,
  nameCursorOf,
  type PlaceByName,
  type PlantPlace,
} from './order.ts';
import { type Filters, type PlantPage, toPage } from './paging.ts';
import type { PlantRecord } from './plant.ts';
import type { PlantStore } from './store.ts';

/** @limit Plants | Plants that fit the filters of a list by name | 400 */
export const namedPlantsMax = 10_000;

/** @limit Plants | Plants that a list by name with `name` or `search` looks at | 400 */
export const searchedPlantsMax = 100_000;

const tooManyByName = invalidParameters({
  name: 'sort',
  rule: `cannot be by name if more than ${withCommas(namedPlantsMax)} plants fit the filters, or more than ${withCommas(searchedPlantsMax)} are searched`,
});

interface NameQuery extends Pick<Filters, 'name' | 'search'> {
  readonly order: NameOrder;
  readonly tags: readonly string[];
  readonly limit: number;
  /** The cursor after which the page begins. */
  readonly after: string | undefined;
}

type PlantReads = Pick<PlantStore, 'find' | 'countUpTo'>;

/**
 * Finds a page of plants by name, and resolves to a function that returns pieces of it. Rejects with AppError `invalid_query` if there are too
 * many plants, and `invalid_cursor`.
 */
export const findByName = async (
  plants: PlantReads,
  query: NameQuery,
  signal: AbortSignal,
  limits = { named: namedPlantsMax, searched: searchedPlantsMax },
): Promise<(limit: number, after: string | undefined) => Promise<JsonPage<string>>> => {
  const { order, after } = query;
  const place = after === undefined ? undefined : expectPlaceByName(order, after);
  const found = await selectByName(plants, { ...query, place }, signal, limits);
  return async (limit, cursor) => {
    const before = cursor === undefined ? undefined : expectPlaceByName(order, cursor);
    // None is the place after which the page begins.
    const start = found.findIndex(({ id, name }) => id === before?.id && name === before.name) + 1;
    const [piece, next] = [found.slice(start, start + limit), found[start + limit]];
    const last = piece.at(-1);
    return toPage({ plants: piece, end: next && last && nameCursorOf(order, last) });
  };
};

/** The plants of the page, and one more if there is another page. */
const selectByName = async (
  plants: PlantReads,
  { order, tags, name, search, limit, place }: NameQuery & { readonly place: PlaceByName | undefined },
  signal: AbortSignal,
  limits: { readonly named: number; readonly searched: number },
): Promise<readonly PlantRecord[]> => {
  // Each plant has one tag, so the plants of several tags are read one tag after the other.
  const ranges: Pick<PlantPage, 'tags'>[] = tags.length > 0 ? tags.map((tag) => ({ tags: [tag] })) : [{}];
  const rows = await countRows(plants, ranges, limits.named);
  const isSearched = Boolean(name || search);
  if (rows > limits.named && !isSearched) throw new AppError(tooManyByName);
  // The last step of each tag can be short.
  const stepsMax = Math.ceil(limits.searched / stepRowsMax) + ranges.length - 1;

  using reading = beginLongRead(rows > limits.named ? limits.searched : rows);
  const firsts = keepFirsts(order, place, limit + 1);
  let [steps, fitting] = [0, 0];
  for (const range of ranges) {
    let after: PlantPlace | undefined;
    do {
      if (signal.aborted) return [];
      if (steps === stepsMax) throw new AppError(tooManyByName);
      const page = { ...range, name, search, limit: stepRowsMax, after };
      const { plants: listed, end } = await reading.step(Math.min(rows, stepRowsMax), () => plants.find(page));
      steps += 1;
      fitting += listed.length;
      if (fitting > limits.named) throw new AppError(tooManyByName);
      firsts.add(listed);
      after = end;
    } while (after);
  }
  return firsts.plants();
};

/** How many plants the ranges have, to one more than `max`. */
const countRows = async (
  plants: PlantReads,
  ranges: readonly Pick<PlantPage, 'tags'>[],
  max: number,
): Promise<number> => {
  using reading = beginLongRead(ranges.length * stepRowsMax);
  let total = 0;
  for (const { tags } of ranges)
    if (total <= max) total += await reading.step(stepRowsMax, () => plants.countUpTo(max + 1 - total, tags));
  return total;
};

/** Keeps the first `count` plants after a place, of all that are added. */
const keepFirsts = (order: NameOrder, place: PlaceByName | undefined, count: number) => {
  const sign = isDescending(order) ? -1 : 1;
  const compare = (one: Keyed, other: Keyed): number =>
    sign * (Buffer.compare(one.bytes, other.bytes) || Number(one.plant.id - other.plant.id));
  const after = place && toKeyed(place);
  const isAfter = (one: Keyed): boolean => !after || compare(after, one) < 0;
  let kept: Keyed<PlantRecord>[] = [];
  return {
    add: (plants: readonly PlantRecord[]): void => {
      const added = plants.map(toKeyed).filter(isAfter);
      // A plant whose tag changes meanwhile can be read a second time.
      const ids = new Set(added.map(({ plant }) => plant.id));
      kept = [...kept.filter(({ plant }) => !ids.has(plant.id)), ...added].sort(compare).slice(0, count);
    },
    plants: (): readonly PlantRecord[] => kept.map(({ plant }) => plant),
  };
};

/** With its name in UTF-8, whose bytes are in the order of the code points. Those of UTF-16 are not. */
interface Keyed<Place extends PlaceByName = PlaceByName> {
  readonly plant: Place;
  readonly bytes: Uint8Array;
}

const toKeyed = <Place extends PlaceByName>(plant: Place): Keyed<Place> => ({ plant, bytes: Buffer.from(plant.name) });
