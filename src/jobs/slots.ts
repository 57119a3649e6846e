/**
 * How many attempts there may be at once. Each lane may always have one, whatever the others do; beyond that the lanes that
 * are busy share what there is evenly, so that a few slow ones leave room for the rest.
 */
import { placeNameOf, type Sequenced } from '../domain/event.ts';
import type { Lane } from './lane.ts';

/** What the lanes share, and what they may have in all but for the first place of each. */
export const sharedMax = 64;
export const attemptsMax = 128;

export interface Slots {
  /** Whether the lane may begin another attempt. */
  hasRoom(lane: Lane): boolean;
  /** Gives a place to an attempt at this event. */
  take(lane: Lane, event: Sequenced, isNew: boolean): void;
  free(lane: Lane, event: Sequenced): void;
}

export const createSlots = (): Slots => {
  let busyLanes = 0;
  let taken = 0;
  return {
    hasRoom: ({ inFlight, window }) =>
      inFlight.size === 0 ||
      (inFlight.size < Math.min(window, Math.floor(sharedMax / busyLanes)) && taken < attemptsMax),
    take: ({ inFlight, newInFlight }, event, isNew) => {
      if (inFlight.size === 0) busyLanes += 1;
      taken += 1;
      inFlight.add(placeNameOf(event));
      if (isNew) newInFlight.add(event.sequence);
    },
    free: ({ inFlight, newInFlight }, event) => {
      inFlight.delete(placeNameOf(event));
      if (event.type !== 'webhook.test') newInFlight.delete(event.sequence);
      taken -= 1;
      if (inFlight.size === 0) busyLanes -= 1;
    },
  };
};
