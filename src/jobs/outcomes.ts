/** What attempts have led to, until it is on the disk. Until then each keeps its place, and its lane stays before it. */
import { stateOf } from '../domain/delivery.ts';
import type { DeliveryChange, DeliveryStore } from '../store/store.ts';
import { type Lane, positionAfter } from './lane.ts';
import type { Slots } from './slots.ts';

export interface Outcomes {
  readonly size: number;
  add(lane: Lane, change: DeliveryChange): void;
  /**
   * Writes down all that there is, in one commit, and how far the lanes have come; that alone no more often than every
   * `pollMs`. Resolves to whether one of the attempts has failed, which may have changed its webhook. Rejects as the store
   * does, and then nothing is forgotten.
   */
  record(lanes: ReadonlyMap<string, Lane>): Promise<boolean>;
}

export const createOutcomes = (deliveries: DeliveryStore, slots: Slots, pollMs: number): Outcomes => {
  let ended: { readonly lane: Lane; readonly change: DeliveryChange }[] = [];
  let recordedAtMs = 0;
  return {
    get size() {
      return ended.length;
    },
    add: (lane, change) => {
      ended.push({ lane, change });
    },
    record: async (lanes) => {
      // A copy: attempts go on ending while the store writes.
      const batch = [...ended];
      if (batch.length === 0 && performance.now() - recordedAtMs < pollMs) return false;
      const endedIn = Map.groupBy(batch, ({ lane }) => lane);
      const moved = [...lanes].flatMap(([id, lane]) => {
        const events = endedIn.get(lane)?.map(({ change }) => change.before.event) ?? [];
        // A test is not in the log, though it has the sequence of an event that is.
        const ofLog = events.filter(({ type }) => type !== 'webhook.test');
        const position = positionAfter(lane, new Set(ofLog.map(({ sequence }) => sequence)));
        return position > lane.recorded ? [{ id, lane, position }] : [];
      });
      if (batch.length > 0 || moved.length > 0) {
        const changes = batch.map(({ change }) => change);
        await deliveries.record(changes, new Map(moved.map(({ id, position }) => [id, position])));
      }
      recordedAtMs = performance.now();
      ended = ended.slice(batch.length);
      for (const { lane, change } of batch) slots.free(lane, change.before.event);
      for (const { lane, position } of moved) lane.recorded = position;
      return batch.some(({ change }) => stateOf(change.after) !== 'delivered');
    },
  };
};
