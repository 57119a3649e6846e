import type { Delivery, Outcome } from '../domain/delivery.ts';
import { eventIdOf } from '../domain/event.ts';
import type { Log } from '../log.ts';
import { type Metrics, outcomeOf } from '../metrics.ts';

interface Reports {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Logs and counts an attempt. The delivery is the one after the attempt. */
export const reportAttempt = (
  { log, metrics: { attempts, attemptDuration } }: Reports,
  { webhookId, event, attemptsInRound, nextAttemptAt }: Delivery,
  { attempt }: Outcome,
): void => {
  const { status, failure, durationMs } = attempt;
  attempts.add(1, { outcome: outcomeOf(attempt) });
  attemptDuration.observe(durationMs / 1000);
  log.info(
    { webhookId, deliveryId: eventIdOf(event), try: attemptsInRound, status, failure, durationMs, nextAttemptAt },
    'delivery',
  );
};
