import { type Delivery, isGone, isSuccess } from './delivery.ts';
import type { WebhookRecord } from './webhook.ts';

/** Whether what is sent to a webhook gets through. */
export type Health = Pick<WebhookRecord, 'failingSince' | 'disabled' | 'enabledAt'>;

/**
 * The health after an attempt. A delivery that is given up disables its webhook, unless another one got through since the
 * first attempt of its round: then the fault lies with the one and not with the receiver.
 */
export const healthAfter = ({ failingSince: before, ...rest }: Health, delivery: Delivery): Health => {
  const { disabled, enabledAt = '' } = rest;
  const attempt = delivery.attempts.at(-1);
  if (!attempt || isSuccess(attempt)) return rest;
  // The earlier one, should a clock have been ahead.
  const failingSince = before !== undefined && before < attempt.at ? before : attempt.at;
  const began = delivery.attempts.at(-delivery.attemptsInRound)?.at ?? attempt.at;
  const isAgainstIt = delivery.nextAttemptAt === undefined && attempt.at >= enabledAt;
  const reason = isGone(attempt) ? 'gone' : failingSince <= began ? 'failing' : undefined;
  const after = disabled ?? (isAgainstIt && reason ? { at: attempt.at, reason } : undefined);
  return { ...rest, failingSince, ...(after && { disabled: after }) };
};
