import { type Delivery, isGone, isSuccess } from './delivery.ts';
import type { WebhookRecord } from './webhook.ts';

/** Whether what is sent to a webhook gets through. */
export type Health = Pick<WebhookRecord, 'failingSince' | 'disabled'>;

/**
 * The health after an attempt. A delivery that is given up disables its webhook, unless another one got through since the
 * first of its tries: then the fault lies with the one and not with the receiver.
 */
export const healthAfter = ({ failingSince: before, disabled }: Health, delivery: Delivery): Health => {
  const attempt = delivery.attempts.at(-1);
  if (!attempt || isSuccess(attempt)) return { ...(disabled && { disabled }) };
  // The earlier one, should a clock have been ahead.
  const failingSince = before !== undefined && before < attempt.at ? before : attempt.at;
  const began = delivery.attempts.at(-delivery.tries)?.at ?? attempt.at;
  const isSettled = delivery.nextAttemptAt === undefined;
  const reason = isGone(attempt) ? 'gone' : failingSince <= began ? 'failing' : undefined;
  const after = disabled ?? (isSettled && reason ? { at: attempt.at, reason } : undefined);
  return { failingSince, ...(after && { disabled: after }) };
};
