import type { WebhookRecord } from '../../domain/webhook.ts';

/** A webhook without its secret, for `JSON.stringify`. */
export const toBody = ({ id, url, events, description, createdAt, disabled, failingSince }: WebhookRecord) => ({
  id,
  url,
  events,
  description,
  createdAt,
  enabled: disabled === undefined,
  disabledAt: disabled?.at,
  disabledReason: disabled?.reason,
  failingSince,
});
