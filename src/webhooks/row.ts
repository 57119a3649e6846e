import type { webhooks } from '../../db/sqlite.ts';
import { isPlantEventType } from '../events/event.ts';
import type { Lease, LeasedWebhook } from './lease.ts';
import {
  generateWebhookId,
  type Health,
  isDisabledReason,
  type NewWebhook,
  type Secret,
  type WebhookRecord,
} from './webhook.ts';

type Columns = typeof webhooks.$inferSelect;

export type WebhookRow = Omit<Columns, keyof LeaseColumns>;

/** The row of a new webhook, without its position. */
export const toNewWebhookRow = (
  { id = generateWebhookId(), url, events, description, secret }: NewWebhook,
  now: Date,
) => ({
  id,
  url,
  events: events.join(' '),
  description: description ?? null,
  ...toSecretsColumn([{ text: secret }]),
  createdAt: now.toISOString(),
});

export const toSecretsColumn = (secrets: readonly Secret[]) => ({ secrets: JSON.stringify(secrets) });

/** The columns of the health that attempts change. */
export const toHealthColumns = ({ failingSince, disabled }: Health) => ({
  failingSince: failingSince ?? null,
  disabledAt: disabled?.at ?? null,
  disabledReason: disabled?.reason ?? null,
});

/** The columns of a webhook that a client enables. */
export const toEnabledColumns = (now: Date) => ({
  disabledAt: null,
  disabledReason: null,
  enabledAt: now.toISOString(),
});

/** Throws for a row that this program did not write. */
export const toWebhook = ({
  id,
  url,
  events: types,
  description,
  secrets,
  position,
  createdAt,
  ...health
}: WebhookRow): WebhookRecord => ({
  id,
  url,
  events: types.split(' ').map((type) => known(type, isPlantEventType)),
  secrets: JSON.parse(secrets),
  position,
  createdAt,
  ...(description !== null && { description }),
  ...toHealth(health),
});

export type HealthRow = Pick<Columns, 'failingSince' | 'disabledAt' | 'disabledReason' | 'enabledAt'>;

export const toHealth = ({ failingSince, disabledAt, disabledReason, enabledAt }: HealthRow): Health => ({
  ...(failingSince !== null && { failingSince }),
  ...(enabledAt !== null && { enabledAt }),
  ...(disabledAt !== null && { disabled: { at: disabledAt, reason: known(disabledReason ?? '', isDisabledReason) } }),
});

const known = <Word extends string>(text: string, isWord: (text: string) => text is Word): Word => {
  if (!isWord(text)) throw new Error('a webhook has an unknown word');
  return text;
};

/** The columns of `webhooks` for the lease. They belong to a running service, so `copy` omits them. */
export type LeaseColumns = Pick<Columns, 'leaseOwner' | 'leaseEpoch' | 'leaseExpiresAt'>;

export const isLeaseColumn = (name: string): name is keyof LeaseColumns => name.startsWith('lease');

export const toLeaseColumns = ({ owner, epoch, expiresAt }: Lease): LeaseColumns => ({
  leaseOwner: owner ?? null,
  leaseEpoch: epoch,
  leaseExpiresAt: expiresAt ?? null,
});

/** The columns that decide who sends for a webhook. */
export type LeaseRow = LeaseColumns & Pick<Columns, 'id' | 'disabledAt'>;

export const toLeasedWebhook = ({
  id,
  disabledAt,
  leaseOwner,
  leaseEpoch,
  leaseExpiresAt,
}: LeaseRow): LeasedWebhook => ({
  id,
  isEnabled: disabledAt === null,
  lease: {
    epoch: leaseEpoch,
    ...(leaseOwner !== null && { owner: leaseOwner }),
    ...(leaseExpiresAt !== null && { expiresAt: leaseExpiresAt }),
  },
});
