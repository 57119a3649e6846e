/** The attempts that the lanes share, and the maximum of concurrent attempts, without the first one of each lane. */
export const sharedMax = 64;
/**
 * With one for each webhook of a store, these are fewer than the 256 requests that Bun makes at once: a hanging receiver must not
 * keep another one waiting.
 *
 * @limit Webhooks | Attempts in flight of a process, beyond one for each webhook | others wait
 */
export const attemptsMax = 128;

/** The attempts in flight of several lanes. */
export interface Load {
  readonly attempts: number;
  /** The number of lanes that have any. */
  readonly busyLanes: number;
}

/** The maximum of attempts of a lane, by the load of the others: busy lanes share evenly, and each lane may have one. */
export const shareOfLane = ({ attempts, busyLanes }: Load): number =>
  Math.max(1, Math.min(Math.floor(sharedMax / (busyLanes + 1)), attemptsMax - attempts));

export const noLoad: Load = { attempts: 0, busyLanes: 0 };

/** The load with another lane that has this number of attempts in flight. */
export const addLane = ({ attempts, busyLanes }: Load, count: number): Load => ({
  attempts: attempts + count,
  busyLanes: busyLanes + (count > 0 ? 1 : 0),
});

/** The load without this lane. */
export const removeLane = ({ attempts, busyLanes }: Load, count: number): Load => ({
  attempts: attempts - count,
  busyLanes: busyLanes - (count > 0 ? 1 : 0),
});
