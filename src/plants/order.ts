/** The orders of a list of plants, and the places in them. A cursor has a place in one order. */

import { AppError, foreignCursor } from '../base/app-error.ts';
import { int64Max, int64Min } from '../base/int64.ts';
import { decodeCursor, encodeCursor } from '../base/page.ts';
import { isOneOf } from '../base/text.ts';
import { isInstant } from '../base/time.ts';
import type { PlantRecord } from './plant.ts';

/** By id, and by time and then id. Each has an index. */
export const plantOrders = ['id', '-id', 'createdAt', '-createdAt'] as const;
export type PlantOrder = (typeof plantOrders)[number];

/** By name and then id, without an index: see `by-name.ts`. */
const nameOrders = ['name', '-name'] as const;
export type NameOrder = (typeof nameOrders)[number];

export const listOrders = [...plantOrders, ...nameOrders] as const;
export type ListOrder = (typeof listOrders)[number];

/** After which a page begins: a place in an order by id, or in one by time. */
export type PlantPlace = PlaceById | PlaceByTime;
export type PlaceById = Pick<PlantRecord, 'id'>;
export type PlaceByTime = Pick<PlantRecord, 'id' | 'createdAt'>;
export type PlaceByName = Pick<PlantRecord, 'id' | 'name'>;

export const isByTime = (order: PlantOrder): boolean => order.endsWith('createdAt');
export const isByName: (order: ListOrder) => order is NameOrder = isOneOf(nameOrders);
export const isDescending = (order: ListOrder): boolean => order.startsWith('-');

const hasTime = (place: PlantPlace): place is PlaceByTime => 'createdAt' in place;

/** The place without what the order does not need. Throws if it lacks the time that the order needs. */
export const placeIn = (order: PlantOrder, place: PlantPlace): PlantPlace => {
  if (!isByTime(order)) return { id: place.id };
  if (!hasTime(place)) throw new TypeError(`A place in the order ${order} needs a time.`);
  return { id: place.id, createdAt: place.createdAt };
};

/** Their numbers in cursors. */
export const cursorLists: Readonly<Record<ListOrder, number>> = {
  id: 1,
  '-id': 2,
  createdAt: 3,
  '-createdAt': 4,
  name: 6,
  '-name': 7,
};

export const cursorOf = (order: PlantOrder, place: PlantPlace): string =>
  encodeCursor(cursorLists[order], { number: place.id, text: hasTime(place) ? place.createdAt : '' });

export const nameCursorOf = (order: NameOrder, { id, name }: PlaceByName): string =>
  encodeCursor(cursorLists[order], { number: id, text: name });

/** Throws AppError `invalid_cursor` if the text is not a cursor of this order. */
export const expectPlace = (order: PlantOrder, cursor: string): PlantPlace => {
  const position = decodeCursor(cursorLists[order], cursor);
  if (!position || !(isByTime(order) ? isInstant(position.text) : position.text === ''))
    throw new AppError(foreignCursor);
  return placeIn(order, { id: position.number, createdAt: position.text });
};

/** Throws as `expectPlace` does. */
export const expectPlaceByName = (order: NameOrder, cursor: string): PlaceByName => {
  const position = decodeCursor(cursorLists[order], cursor);
  if (!position) throw new AppError(foreignCursor);
  return { id: position.number, name: position.text };
};

/**
 * Where a list goes on after this place: from an id, or in an order by time behind a time and an id. Undefined if there is nothing after it.
 */
export const startAfter = (order: PlantOrder, after: PlantPlace | undefined): PlantPlace | undefined => {
  const [first, last, step, time] = isDescending(order)
    ? ([int64Max, int64Min, -1n, afterAllTimes] as const)
    : ([int64Min, int64Max, 1n, ''] as const);
  if (isByTime(order)) return placeIn(order, after ?? { id: first, createdAt: time });
  if (after?.id === last) return undefined;
  return { id: after ? after.id + step : first };
};

const afterAllTimes = '\u{10FFFF}';
