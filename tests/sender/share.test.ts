/** The attempts of the lanes of a process: each gets its share of the limit. */
import { describe, expect, test } from 'bun:test';
import {
  attemptsInFlightMax,
  createShares,
  type Load,
  noLoad,
  sharedMax,
  sharedMaxOfQuick,
  shareOfLane,
} from '../../src/sender/share.ts';
import { concurrencyMax } from '../../src/sender/throttle.ts';
import { webhooksMax } from '../../src/webhooks/webhook.ts';

describe('the share of a lane', () => {
  const busy = { attempts: 0, busyLanes: 1 };

  /** Lets lanes with these loads take attempts up to their limits, one after the other. Returns the attempts of each lane. */
  const fill = (loads: readonly Load[], isQuick = false): number[] => {
    const lanes = loads.map((load) => {
      const lane = { load, ownLoad: () => lane.load, isQuick: () => isQuick };
      return lane;
    });
    const shares = createShares(lanes);
    for (const lane of lanes) {
      const attempts = Math.max(lane.load.attempts, Math.min(concurrencyMax, shares.of(lane)));
      lane.load = { attempts, busyLanes: 1 };
      shares.update(lane);
    }
    return lanes.map(({ load }) => load.attempts);
  };

  test('busy lanes share the attempts evenly, and each lane may have at least one', () => {
    expect(fill([busy, noLoad, noLoad])[0]).toBe(concurrencyMax);
    expect(fill(Array<Load>(10).fill(busy))).toEqual(Array<number>(10).fill(Math.floor(sharedMax / 10)));
    expect(fill(Array<Load>(10).fill(busy), true)).toEqual(Array<number>(10).fill(Math.floor(sharedMaxOfQuick / 10)));
    expect(fill(Array<Load>(100).fill(busy))).toEqual(Array<number>(100).fill(1));
  });

  test('lanes that become busy one after the other stay within the limit of the process', () => {
    const counts = fill(Array<Load>(100).fill(noLoad));
    expect(counts.slice(0, 3)).toEqual([concurrencyMax, Math.floor(sharedMax / 2), Math.floor(sharedMax / 3)]);
    expect(Math.min(...counts)).toBe(1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(attemptsInFlightMax + counts.length);
  });

  test('Bun makes the attempts to all webhooks of a store at once, even if all hang', () => {
    expect(webhooksMax + attemptsInFlightMax).toBeLessThan(256);
  });

  test('the share of a lane grows when attempts of other lanes end', () => {
    const hanging = { attempts: concurrencyMax, busyLanes: 1 };
    expect(fill([hanging, busy])[1]).toBe(sharedMax / 2);
    expect(fill([busy, noLoad])[0]).toBe(concurrencyMax);
  });

  test('a lane has at most the attempts that remain within the limit of the process, except its first one', () => {
    expect(shareOfLane({ attempts: attemptsInFlightMax - 3, busyLanes: 1 }, false)).toBe(3);
    expect(shareOfLane({ attempts: attemptsInFlightMax - 1, busyLanes: 1 }, false)).toBe(1);
    expect(shareOfLane({ attempts: attemptsInFlightMax, busyLanes: 1 }, false)).toBe(1);
  });
});
