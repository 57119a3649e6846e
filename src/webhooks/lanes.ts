/**
 * The lanes of the webhooks whose leases this process has (`domain/lease.ts`). A webhook that must not be sent to has its lane
 * closed, and its lease is given back once nothing is in flight, so that the next owner sends nothing twice. A lane whose lease
 * was lost is forgotten with all that is in flight, which is up to the next owner.
 */
import type { LeaseRequest } from '../domain/lease.ts';
import type { WebhookRecord } from '../domain/webhook.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { createLane, type Lane, type LaneOptions } from './lane.ts';
import { type OwnLease, readClocks, toOwnLease } from './own-lease.ts';

export interface LeasedLane {
  readonly lane: Lane;
  readonly lease: OwnLease;
}

interface LanesOptions extends LaneOptions {
  readonly store: Pick<Store, 'webhooks' | 'leases'>;
  readonly log: Log;
  readonly isTarget: (webhook: WebhookRecord) => boolean;
}

export const createLanes = ({ store: { webhooks, leases }, log, isTarget, ...options }: LanesOptions) => {
  /** The id of this process as a sender. Those that join later have later ones. */
  const sender = Bun.randomUUIDv7();
  /** By the ids of the webhooks. */
  const lanes = new Map<string, LeasedLane>();
  /** The webhooks whose leases are to be given back. */
  let unwanted: ReadonlySet<string> = new Set();

  const idle = (): ReadonlySet<string> =>
    new Set([...unwanted].filter((id) => (lanes.get(id)?.lane.inFlight() ?? 0) === 0));

  /** Resolves to the leases after it. Lanes without one are forgotten: `lost` has those that were not given back. */
  const renew = async (released: ReadonlySet<string>, isLeaving: boolean) => {
    const request: LeaseRequest = { sender, released, isLeaving };
    const askedAt = readClocks();
    const renewed = await leases.renew(request);
    const lost: string[] = [];
    for (const [id, { lane, lease }] of lanes) {
      const held = renewed.held.get(id);
      if (held?.epoch === lease.epoch) {
        lanes.set(id, { lane, lease: toOwnLease(held, askedAt) });
      } else {
        lanes.delete(id);
        if (!released.has(id)) lost.push(id);
      }
    }
    return { ...renewed, lost, askedAt };
  };

  const close = (id: string, reason?: string): void => {
    if (lanes.get(id)?.lane.close() && reason) log.warn({ webhookId: id, reason }, 'webhook disabled');
  };

  return {
    all: (): LeasedLane[] => [...lanes.values()],

    /** Whether a lease can be given back, by `refresh` or `leave`. */
    hasIdle: (): boolean => idle().size > 0,

    /** Renews the leases, opens a lane for each enabled webhook of its share, and closes the others. */
    refresh: async (): Promise<void> => {
      const { held, share, lost, askedAt } = await renew(idle(), false);
      // Read after the lease was taken: the owner before may have moved the position until then.
      const all = await webhooks.list();
      for (const { id } of all) if (lost.includes(id)) log.warn({ webhookId: id }, 'lease lost');
      const own = all.filter(({ id, disabled }) => held.has(id) && !disabled).slice(0, share);
      for (const webhook of own) {
        const lease = held.get(webhook.id);
        const present = lanes.get(webhook.id);
        if (present) present.lane.open(webhook);
        else if (lease && isTarget(webhook))
          lanes.set(webhook.id, { lane: createLane(webhook, options), lease: toOwnLease(lease, askedAt) });
      }
      unwanted = new Set([...held.keys()].filter((id) => !own.some((webhook) => webhook.id === id)));
      for (const id of unwanted) close(id, all.find((webhook) => webhook.id === id)?.disabled?.reason);
    },

    /** Closes all lanes, and gives back the leases of those with nothing in flight, or all when no attempt is under way. */
    leave: async (isLast: boolean): Promise<void> => {
      unwanted = new Set([...unwanted, ...lanes.keys()]);
      for (const id of unwanted) close(id);
      await renew(isLast ? unwanted : idle(), true);
    },
  };
};
