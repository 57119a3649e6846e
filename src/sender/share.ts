/** How the lanes of a process share its attempts. */

/** The attempts that busy lanes share evenly. With more, fewer commits record the outcomes. */
export const sharedMax = 96;
/**
 * Those that lanes to quick receivers share. Most of their connections have no request, and Bun keeps as many of those: each attempt beyond
 * them would close a connection and open another, for half the cost of a message.
 */
export const sharedMaxOfQuick = 64;

/**
 * With one for each webhook of a store, these are fewer than the 256 requests that Bun makes at once: a hanging receiver must not
 * keep another one waiting.
 *
 * @limit Webhooks | Attempts in flight of a process, beyond one for each webhook | others wait
 */
export const attemptsInFlightMax = 152;

/** What one or several lanes use. */
export interface Load {
  /** Those in flight. */
  readonly attempts: number;
  /** The number of lanes with attempts in flight, or with deliveries to attempt now. */
  readonly busyLanes: number;
}

/** The maximum of attempts of a lane, by the load of the others: busy lanes share evenly, and each lane may have one. */
export const shareOfLane = ({ attempts, busyLanes }: Load, isQuick: boolean): number => {
  const shared = isQuick ? sharedMaxOfQuick : sharedMax;
  return Math.max(1, Math.min(Math.floor(shared / (busyLanes + 1)), attemptsInFlightMax - attempts));
};

export const noLoad: Load = { attempts: 0, busyLanes: 0 };

/** The load of several lanes after that of one has changed. */
export const changeLoad = ({ attempts, busyLanes }: Load, before: Load, after: Load): Load => ({
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
