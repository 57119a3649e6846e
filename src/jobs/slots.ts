/**
 * How many attempts there may be at once. Each lane may always have one, whatever the others do; beyond that the lanes that
 * are busy share what there is evenly, so that a few slow ones leave room for the rest.
 */
import type { Lane } from './lane.ts';

/** What the lanes share, and what they may have in all but for the first place of each. */
export const sharedMax = 64;
export const attemptsMax = 128;

export interface Slots {
  /** Whether the lane may begin another attempt. */
  hasRoom(lane: Lane): boolean;
  /** Gives a place to an attempt at the event of this sequence. */
  take(lane: Lane, sequence: bigint, isNew: boolean): void;
  free(lane: Lane, sequence: bigint): void;
}

export const createSlots = (): Slots => {
  let busyLanes = 0;
  let taken = 0;
  return {
    hasRoom: ({ inFlight, window }) =>
      inFlight.size === 0 ||
      (inFlight.size < Math.min(window, Math.floor(sharedMax / busyLanes)) && taken < attemptsMax),
    take: ({ inFlight, newInFlight }, sequence, isNew) => {
      if (inFlight.size === 0) busyLanes += 1;
      taken += 1;
      inFlight.add(sequence);
      if (isNew) newInFlight.add(sequence);
    },
    free: ({ inFlight, newInFlight }, sequence) => {
      inFlight.delete(sequence);
      newInFlight.delete(sequence);
      taken -= 1;
      if (inFlight.size === 0) busyLanes -= 1;
    },
  };
};
