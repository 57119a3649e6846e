import type { Lease, LeasedWebhook } from '../../domain/lease.ts';

/** The columns of `webhooks` for the lease. They belong to a running service, so `copy` omits them. */
export interface LeaseColumns {
  readonly leaseOwner: string | null;
  readonly leaseEpoch: bigint;
  readonly leaseExpiresAt: string | null;
}

export const isLeaseColumn = (name: string): name is keyof LeaseColumns => name.startsWith('lease');

export const toLeaseColumns = ({ owner, epoch, expiresAt }: Lease): LeaseColumns => ({
  leaseOwner: owner ?? null,
  leaseEpoch: epoch,
  leaseExpiresAt: expiresAt ?? null,
});

export const toLeasedWebhook = ({
  id,
  disabledAt,
  leaseOwner,
  leaseEpoch,
  leaseExpiresAt,
}: LeaseColumns & { readonly id: string; readonly disabledAt: string | null }): LeasedWebhook => ({
  id,
  isEnabled: disabledAt === null,
  lease: {
    epoch: leaseEpoch,
    ...(leaseOwner !== null && { owner: leaseOwner }),
    ...(leaseExpiresAt !== null && { expiresAt: leaseExpiresAt }),
  },
});
