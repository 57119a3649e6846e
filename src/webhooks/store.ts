import type { LeaseRequest, Leases } from './lease.ts';
import type { NewWebhook, WebhookRecord } from './webhook.ts';

export interface WebhookStore {
  /** Adds a webhook for future events. Rejects with `too_many_webhooks` if there are `webhooksMax`. */
  create(webhook: NewWebhook): Promise<WebhookRecord>;
  /** Resolves to `undefined` when the webhook does not exist. */
  get(id: string): Promise<WebhookRecord | undefined>;
  /** Lists all webhooks, oldest first, disabled ones too. */
  list(): Promise<WebhookRecord[]>;
  /** Adds a new secret; the earlier ones still sign for `rotationMs`. Rejects with `not_found`. */
  rotate(id: string, secret: string): Promise<WebhookRecord>;
  /** Removes it and its pending test messages. Rejects with `not_found`. */
  delete(id: string): Promise<void>;
}

export interface LeaseStore {
  /**
   * Renews the leases of a sender, acquires free ones up to its share, and gives back those it releases. It must be called before
   * the leases expire. Resolves to the leases of the sender. It writes only if a lease changes, or is due for renewal.
   */
  renew(request: LeaseRequest): Promise<Leases>;
}
