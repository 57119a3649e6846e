/** The orders of a list of plants, and the places in them. A cursor has a place in one order. */

import { AppError, foreignCursor } from '../base/app-error.ts';
import { int64Max, int64Min } from '../base/int64.ts';
import { decodeCursor, encodeCursor } from '../base/page.ts';
import { isInstant } from '../base/time.ts';
import type { PlantRecord } from './plant.ts';

/**
 * By id, and by time and then id. There is none by name: the pages of its index are written in random order, and a create would take 20 % more
 * CPU on PostgreSQL and 60 % more on SQLite.
 */
export const plantOrders = ['id', '-id', 'createdAt', '-createdAt'] as const;
export type PlantOrder = (typeof plantOrders)[number];

/** After which a page begins. `createdAt` is empty in an order by id. */
export type PlantPlace = Pick<PlantRecord, 'id' | 'createdAt'>;

export const isByTime = (order: PlantOrder): boolean => order.endsWith('createdAt');
export const isDescending = (order: PlantOrder): boolean => order.startsWith('-');

export const placeIn = (order: PlantOrder, { id, createdAt }: PlantPlace): PlantPlace => ({
  id,
  createdAt: isByTime(order) ? createdAt : '',
});

export const cursorOf = (order: PlantOrder, { id, createdAt }: PlantPlace): string =>
  encodeCursor(id, { list: order, text: createdAt });

/** Throws AppError `invalid_cursor` if the text is not a cursor of this order. */
export const expectPlace = (order: PlantOrder, cursor: string): PlantPlace => {
  const position = decodeCursor(cursor, order);
  if (!position || !(isByTime(order) ? isInstant(position.text) : position.text === ''))
    throw new AppError(foreignCursor);
  return { id: position.number, createdAt: position.text };
};

/**
 * Where a list goes on after this place: from an id, or in an order by time behind a time and an id. Undefined if there is nothing after it.
 */
export const startAfter = (order: PlantOrder, after: PlantPlace | undefined): PlantPlace | undefined => {
  const [first, last, step, time] = isDescending(order)
    ? ([int64Max, int64Min, -1n, afterAllTimes] as const)
    : ([int64Min, int64Max, 1n, ''] as const);
  if (isByTime(order)) return after ?? { id: first, createdAt: time };
  if (after?.id === last) return undefined;
  return { id: after ? after.id + step : first, createdAt: '' };
};

const afterAllTimes = '\u{10FFFF}';

/** In a list. */
export const tagsMax = 10;

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

/** See `PlantPage`. */
export interface Filters {
  readonly order?: PlantOrder | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly name?: string | undefined;
}

/** How a page is read. */
export interface PageKind {
  readonly order: PlantOrder;
  /** The number of tags that the index finds. */
  readonly tags: number;
  /** Whether there is a filter without an index. */
  readonly isFiltered: boolean;
}

/** The index has the ids of a tag in order. Those of several tags are merged, which would take too long for the many plants of a filter. */
export const kindOf = ({ order = 'id', tags = [], name = '' }: Filters): PageKind => {
  const isByIndex = !isByTime(order) && (name === '' || tags.length === 1);
  return { order, tags: isByIndex ? tags.length : 0, isFiltered: name !== '' || (tags.length > 0 && !isByIndex) };
};

/** How many rows of an order by id a plant of this list costs: it is anywhere in the table, or several indexes are merged. */
export const rowsOfPlant = ({ order, tags }: PageKind): number => (isByTime(order) ? 5 : Math.max(1, tags));
