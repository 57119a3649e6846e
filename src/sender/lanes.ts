/**
 * The lanes of the webhooks whose leases this process has (`deliveries/lease.ts`). If a webhook must not be sent to, its lane is
 * closed, and its lease is released once nothing is in flight, so that the next owner sends nothing twice. A lane with a lost
 * lease is discarded with its deliveries in flight, which the next owner sends.
 */
import { runtime } from '#runtime';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { type HeldLease, type LeaseRequest, leaseMs, renewalMs } from '../webhooks/lease.ts';
import type { WebhookRecord } from '../webhooks/webhook.ts';
import { createLane, type Lane, type LaneOptions } from './lane.ts';

/** A lane with its lease from the view of this process: by its clocks the lease ends before it ends in the database. */
export interface LeasedLane {
  readonly lane: Lane;
  readonly epoch: bigint;
  isValid(): boolean;
}

interface LanesOptions extends LaneOptions {
  readonly store: Pick<Store, 'webhooks' | 'leases'>;
  readonly log: Log;
  readonly isTarget: (webhook: WebhookRecord) => boolean;
}

export const createLanes = ({ store: { webhooks, leases }, log, isTarget, ...options }: LanesOptions) => {
  /** The id of this process as a sender. Senders that join later have greater ids. */
  const sender = runtime.timeOrderedUuid();
  /** By the ids of the webhooks. */
  const lanes = new Map<string, LeasedLane>();
  /** The webhooks whose leases must be released. */
  let unwanted: ReadonlySet<string> = new Set();

  /** Whether the leases must be looked at: when one is to be renewed, and all the time while there are other senders. */
  let isDue = (): boolean => true;

  const idle = (): ReadonlySet<string> =>
    new Set([...unwanted].filter((id) => (lanes.get(id)?.lane.inFlight() ?? 0) === 0));

  /** Resolves to the leases after the renewal. Lanes without a lease are discarded: `lost` lists those that were not released. */
  const renew = async (released: ReadonlySet<string>, isLeaving: boolean) => {
    const request: LeaseRequest = { sender, released, isLeaving };
    const elapsedMs = startStopwatch();
    const renewed = await leases.renew(request);
    const freshMs = Math.min(...[...renewed.held.values()].map(({ validMs }) => validMs - leaseMs + renewalMs));
    isDue = () => !renewed.isAlone || elapsedMs() >= freshMs;
    const lost: string[] = [];
    for (const [id, { lane, epoch }] of lanes) {
      const held = renewed.held.get(id);
      if (held?.epoch === epoch) {
        lanes.set(id, withLease(lane, held, elapsedMs));
      } else {
        lanes.delete(id);
        if (!released.has(id)) lost.push(id);
      }
    }
    return { ...renewed, lost, elapsedMs };
  };

  const close = (id: string, reason?: string): void => {
    if (lanes.get(id)?.lane.close() && reason) log.warn({ webhookId: id, reason }, 'webhook disabled');
  };

  return {
    all: (): LeasedLane[] => [...lanes.values()],

    /** Whether `refresh` or `leave` can release a lease. */
    hasIdle: (): boolean => idle().size > 0,

    /** Whether nothing has to be done, unless something is written. */
    isIdle: (): boolean => !isDue() && [...lanes.values()].every(({ lane }) => lane.isIdle()),

    /** Renews the leases, opens a lane for each enabled webhook of the share, and closes the others. */
    refresh: async (): Promise<void> => {
      const { held, share, lost, elapsedMs } = await renew(idle(), false);
      // Read after the lease was taken: the previous owner may have changed the position until then.
      const all = await webhooks.list();
      for (const { id } of all) if (lost.includes(id)) log.warn({ webhookId: id }, 'lease lost');
      const own = all.filter(({ id, disabled }) => held.has(id) && !disabled).slice(0, share);
      for (const webhook of own) {
        const lease = held.get(webhook.id);
        const existing = lanes.get(webhook.id);
        if (existing) existing.lane.open(webhook);
        else if (lease && isTarget(webhook))
          lanes.set(webhook.id, withLease(createLane(webhook, options), lease, elapsedMs));
      }
      const reasons = new Map(all.map(({ id, disabled }) => [id, disabled?.reason]));
      unwanted = new Set(held.keys()).difference(new Set(own.map(({ id }) => id)));
      for (const id of unwanted) close(id, reasons.get(id));
    },

    /** Closes all lanes, and releases the leases of lanes without deliveries in flight, or all leases if `isLast`. */
    leave: async (isLast: boolean): Promise<void> => {
      unwanted = new Set([...unwanted, ...lanes.keys()]);
      for (const id of unwanted) close(id);
      await renew(isLast ? unwanted : idle(), true);
    },
  };
};

/** `elapsedMs` measures the time since before the request to the database. */
const withLease = (lane: Lane, { epoch, validMs }: HeldLease, elapsedMs: () => number): LeasedLane => ({
  lane,
  epoch,
  isValid: () => elapsedMs() < validMs,
});

/** Returns the time since the call, by the faster of two clocks: one does not run while the machine sleeps, the other can be set back. */
const startStopwatch = (): (() => number) => {
  const [monotonicMs, wallMs] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
};
