/**
 * Decides which process sends for a webhook. Each process that sends is a sender. It takes leases, one per webhook, up to its even
 * share. A lease expires unless its owner renews it, so that another sender takes over when a process dies. Its epoch increases
 * whenever it is taken, and an outcome is recorded only with the current epoch: a sender that was paused for too long changes nothing.
 *
 * All times are RFC 3339, UTC, by the clock of the database, since the clocks of the machines differ.
 */
export interface Lease {
  /** The sender that has it, if any. */
  readonly owner?: string;
  readonly epoch: bigint;
  readonly expiresAt?: string;
}

/** A process that sends. It must renew itself before it expires. */
export interface Sender {
  readonly id: string;
  readonly expiresAt: string;
}

export interface LeasedWebhook {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly lease: Lease;
}

export interface LeaseTable {
  readonly webhooks: readonly LeasedWebhook[];
  readonly senders: readonly Sender[];
}

export interface LeaseRequest {
  readonly sender: string;
  /** The ids of the webhooks whose leases the sender releases. */
  readonly released: ReadonlySet<string>;
  /** Whether the sender is about to stop. It keeps its leases until it releases them, and takes no more. */
  readonly isLeaving: boolean;
}

export interface Leases {
  /** The number of leases that the sender should have, so that the numbers of all senders differ by at most one. */
  readonly share: number;
  /** By the ids of the webhooks. */
  readonly held: ReadonlyMap<string, HeldLease>;
  /** Whether no other sender has a lease, or counts in the shares. */
  readonly isAlone: boolean;
}

export interface HeldLease {
  readonly epoch: bigint;
  /** The time that the lease is valid, from the request. */
  readonly validMs: number;
}

/** The changes to write, and the leases after them. */
export interface LeasePlan extends Leases {
  readonly changes: readonly LeaseChange[];
  /** The sender itself, if it must be written. */
  readonly sender?: Sender;
  /** Whether the others do not know the sender yet. */
  readonly joins: boolean;
  /** The ids of the senders to remove: expired ones, and the sender itself when it leaves. */
  readonly removed: readonly string[];
}

export interface LeaseChange {
  readonly id: string;
  readonly before: Lease;
  readonly after: Lease;
}

export const leaseMs = 10_000;

/** How old a lease may be before it is renewed. */
export const renewalMs = 3000;

/**
 * How long a sender counts in the shares after its last renewal. When several senders die, the first expired leases are not
 * reserved for the others. A sender that is only slow keeps its own leases.
 */
export const silenceMsMax = 4500;

/** How far the clock of the database may be behind the clock that wrote a lease, for example after a failover. */
export const clockLagMsMax = 2000;

/** Releases leases as requested, renews the others when due, and takes free leases up to the share. */
export const planLeases = (
  { webhooks, senders }: LeaseTable,
  { sender: id, released, isLeaving }: LeaseRequest,
  now: Date,
): LeasePlan => {
  const expiresAt = new Date(now.getTime() + leaseMs).toISOString();
  const isLive = (one: { expiresAt?: string }): boolean => remainingMs(one, now) > 0;
  const isFresh = (one: { expiresAt?: string }): boolean => remainingMs(one, now) > leaseMs - renewalMs;

  const enabled = webhooks.filter(({ isEnabled }) => isEnabled);
  const active = senders.filter((sender) => remainingMs(sender, now) > leaseMs - silenceMsMax);
  const share = isLeaving ? 0 : shareOf(id, active, enabled.length);

  const own = webhooks.filter(({ lease }) => lease.owner === id);
  const kept = own.filter((webhook) => !released.has(webhook.id));
  const free = Math.max(0, share - kept.filter(({ isEnabled }) => isEnabled).length);
  const taken = enabled.filter(({ lease }) => lease.owner !== id && !isLive(lease)).slice(0, free);

  const isSender = !isLeaving && kept.length + enabled.length > 0;
  const hasJoined = senders.some((sender) => sender.id === id && isFresh(sender));
  const isDue = (isSender && !hasJoined) || kept.some(({ lease }) => !isFresh(lease));
  const changes = [
    ...own.filter((webhook) => released.has(webhook.id)).map((one) => changeLease(one, { epoch: one.lease.epoch })),
    ...(isDue ? kept : []).map((one) => changeLease(one, { ...one.lease, expiresAt })),
    ...taken.map((one) => changeLease(one, { owner: id, epoch: one.lease.epoch + 1n, expiresAt })),
  ];
  const isOfOther = (owner: string | undefined): boolean => owner !== undefined && owner !== id;
  const leases = new Map([
    ...kept.map((one) => [one.id, one.lease] as const),
    ...changes.map((one) => [one.id, one.after] as const),
  ]);
  return {
    share,
    held: new Map([...leases].filter(([, { owner }]) => owner === id).map(([of, lease]) => [of, toHeld(lease, now)])),
    isAlone:
      !senders.some((one) => one.id !== id && isLive(one)) &&
      !webhooks.some(({ lease }) => isOfOther(lease.owner) && isLive(lease)),
    changes,
    joins: isSender && isDue && !senders.some((one) => one.id === id),
    ...(isSender && isDue && { sender: { id, expiresAt } }),
    removed: senders.filter((one) => (one.id === id ? isLeaving : !isLive(one))).map((one) => one.id),
  };
};

export const writesAnything = ({ changes, sender, removed }: LeasePlan): boolean =>
  changes.length + removed.length > 0 || sender !== undefined;

/** The number of these webhooks that the sender should have. The senders that joined first get one of the remainder each. */
const shareOf = (id: string, senders: readonly Sender[], webhooks: number): number => {
  const ids = [...new Set([...senders.map((sender) => sender.id), id])].sort();
  const rest = webhooks % ids.length;
  return Math.floor(webhooks / ids.length) + (ids.indexOf(id) < rest ? 1 : 0);
};

/** 0 once it has expired, and if it was written by a clock that was far ahead. */
const remainingMs = ({ expiresAt }: { expiresAt?: string }, now: Date): number => {
  const remaining = expiresAt === undefined ? 0 : Date.parse(expiresAt) - now.getTime();
  return remaining > leaseMs + clockLagMsMax ? 0 : Math.max(0, remaining);
};

const toHeld = (lease: Lease, now: Date): HeldLease => ({ epoch: lease.epoch, validMs: remainingMs(lease, now) });

const changeLease = ({ id, lease }: LeasedWebhook, after: Lease): LeaseChange => ({ id, before: lease, after });
