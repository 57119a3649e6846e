/** How the lanes of a process share its attempts. A lane sends to one webhook. It is busy while it has attempts in flight or due deliveries. */

/** The most attempts in flight of all busy lanes, in equal shares. The attempts that end together are recorded by one commit. */
export const sharedMax = 96;
/**
 * The most of lanes whose receivers respond quickly. Bun keeps 64 idle connections: with more attempts, each would open a new connection, which
 * costs half of a message.
 */
export const sharedMaxOfQuick = 64;

/**
 * Bun makes 256 requests at a time. These attempts, and one for each webhook of a store (`webhooksMax`), are fewer, so that a receiver that does
 * not respond delays no other.
 *
 * @limit Webhooks | Attempts in flight of a process, beyond one for each webhook | others wait
 */
export const attemptsInFlightMax = 152;

/** The load of one or several lanes. */
export interface Load {
  /** The number of attempts in flight. */
  readonly attempts: number;
  /** The number of lanes with attempts in flight, or with deliveries to attempt now. */
  readonly busyLanes: number;
}

/** The maximum of attempts of a lane. `load` is that of the other lanes. Busy lanes have equal shares, of at least one attempt. */
export const shareOfLane = ({ attempts, busyLanes }: Load, isQuick: boolean): number => {
  const shared = isQuick ? sharedMaxOfQuick : sharedMax;
  return Math.max(1, Math.min(Math.floor(shared / (busyLanes + 1)), attemptsInFlightMax - attempts));
};

export const noLoad: Load = { attempts: 0, busyLanes: 0 };

/** The load of several lanes after that of one has changed. */
const changeLoad = ({ attempts, busyLanes }: Load, before: Load, after: Load): Load => ({
  attempts: attempts + after.attempts - before.attempts,
  busyLanes: busyLanes + after.busyLanes - before.busyLanes,
});

export interface Sharing {
  readonly ownLoad: () => Load;
  /** Whether its receiver responds quickly. */
  readonly isQuick: () => boolean;
}

/** The shares of lanes, by their loads at the time of the call. */
export const createShares = <Lane extends Sharing>(lanes: readonly Lane[]) => {
  const loads = new Map(lanes.map((lane) => [lane, lane.ownLoad()]));
  let all = [...loads.values()].reduce((sum, own) => changeLoad(sum, noLoad, own), noLoad);
  const loadOf = (lane: Lane): Load => loads.get(lane) ?? noLoad;
  return {
    of: (lane: Lane): number => shareOfLane(changeLoad(all, loadOf(lane), noLoad), lane.isQuick()),
    /** Counts the present load of a lane. */
    update: (lane: Lane): void => {
      const own = lane.ownLoad();
      all = changeLoad(all, loadOf(lane), own);
      loads.set(lane, own);
    },
  };
};
