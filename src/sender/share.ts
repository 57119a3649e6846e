/** The attempts that busy lanes share evenly. With more, fewer commits record the outcomes: with 64, ten lanes needed a quarter more. */
export const sharedMax = 96;
/**
 * With one for each webhook of a store, these are fewer than the 256 requests that Bun makes at once: a hanging receiver must not
 * keep another one waiting.
 *
 * @limit Webhooks | Attempts in flight of a process, beyond one for each webhook | others wait
 */
export const attemptsInFlightMax = 152;

/** The attempts in flight of several lanes. */
export interface Load {
  readonly attempts: number;
  /** The number of lanes that have any. */
  readonly busyLanes: number;
}

/** The maximum of attempts of a lane, by the load of the others: busy lanes share evenly, and each lane may have one. */
export const shareOfLane = ({ attempts, busyLanes }: Load): number =>
  Math.max(1, Math.min(Math.floor(sharedMax / (busyLanes + 1)), attemptsInFlightMax - attempts));

export const noLoad: Load = { attempts: 0, busyLanes: 0 };

/** The load after the number of attempts in flight of a lane has changed. */
export const changeLoad = ({ attempts, busyLanes }: Load, before: number, after: number): Load => ({
  attempts: attempts + after - before,
  busyLanes: busyLanes + Number(after > 0) - Number(before > 0),
});
