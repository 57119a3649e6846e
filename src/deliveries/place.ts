/** The place of a delivery in a list of all webhooks: by its event, then by its webhook. A cursor of the list has a place. */

import { AppError, foreignCursor } from '../base/app-error.ts';
import { int64FromCanonical } from '../base/int64.ts';
import { decodeCursor, encodeCursor } from '../base/page.ts';
import { type EventKey, keyOf, maxKey } from '../events/event.ts';
import type { Delivery } from './delivery.ts';

export interface DeliveryPlace extends EventKey {
  readonly webhookId: string;
}

export const placeOf = ({ event, webhookId }: Pick<Delivery, 'event' | 'webhookId'>): DeliveryPlace => ({
  ...keyOf(event),
  webhookId,
});

/** Compares two deliveries in the order of the list: the newest first. */
export const byPlace = (a: Delivery, b: Delivery): number => {
  const [one, other] = [placeOf(a), placeOf(b)];
  if (one.sequence !== other.sequence) return one.sequence > other.sequence ? -1 : 1;
  if (one.number !== other.number) return one.number > other.number ? -1 : 1;
  return one.webhookId > other.webhookId ? -1 : 1;
};

/** After all places. */
export const lastPlace: DeliveryPlace = { ...maxKey, webhookId: '' };

/** The number of the list in cursors. */
export const cursorList = 5;

export const cursorOf = ({ sequence, number, webhookId }: DeliveryPlace): string =>
  encodeCursor(cursorList, { number: sequence, text: `${number} ${webhookId}` });

/** Throws AppError `invalid_cursor`. */
export const expectDeliveryPlace = (cursor: string): DeliveryPlace => {
  const position = decodeCursor(cursorList, cursor);
  const [, numberText = '', webhookId = ''] = /^(\d+) (\w+)$/.exec(position?.text ?? '') ?? [];
  const number = int64FromCanonical(numberText);
  if (!position || position.number < 0n || number === undefined) throw new AppError(foreignCursor);
  return { sequence: position.number, number, webhookId };
};
