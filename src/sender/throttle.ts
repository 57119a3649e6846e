/**
 * The limit of concurrent attempts to one receiver, and its pauses. As in TCP, a success raises the limit by one, and a failure halves it.
 * It is also halved when the attempts in flight take the receiver too much time: so a receiver that is slow, or that the attempts
 * make slow, gets few at a time, and a quick one many.
 */
import { isSuccess, type Outcome, pauseMsMax } from '../deliveries/delivery.ts';

/**
 * Under load one turn of the event loop writes more events than 16 concurrent attempts can send, and each commit of outcomes costs
 * the same for 64 as for 8.
 *
 * @limit Webhooks | Attempts in flight to one webhook | others wait; a slow receiver gets fewer, and a crash can repeat them
 */
export const concurrencyMax = 64;

/** Only failures lower the limit below this. */
export const concurrencyOfSlow = 4;

/** The limit is halved when it is greater than this time divided by the average duration of an attempt: 64 for 50 ms, 16 for 200 ms. */
export const inFlightMsMax = 3200;

/** A receiver is quick if the average duration of its attempts is less. */
const quickMs = 10;

/** The weight of an attempt in the average. */
const weight = 1 / 8;

/** After more consecutive failures than this, a receiver counts as dead: each further failure begins a pause. */
export const failuresInARowMax = 16;
export const deadPauseMs = 1000;

export const createThrottle = () => {
  let limit = 1;
  /** The average duration of successful attempts. */
  let averageMs = 0;
  let halvedAtMs = 0;
  let failuresInARow = 0;
  let pausedUntilMs = 0;
  let pausedAtMs = 0;

  const halve = (least: number, nowMs: number): void => {
    limit = Math.min(limit, Math.max(least, Math.floor(limit / 2)));
    halvedAtMs = nowMs;
  };

  const adjustToSuccess = (durationMs: number, nowMs: number): void => {
    averageMs += (durationMs - averageMs) * weight;
    if (limit * averageMs <= inFlightMsMax) limit = Math.min(concurrencyMax, limit + 1);
    // Attempts from before do not show the effect of the lower limit.
    else if (nowMs - durationMs >= halvedAtMs) halve(concurrencyOfSlow, nowMs);
  };

  return {
    limit: () => limit,
    isQuick: () => averageMs < quickMs,
    isPaused: (nowMs: number) => nowMs < pausedUntilMs,
    adjust: ({ attempt, retryAfterMs = 0 }: Outcome, nowMs: number): void => {
      const isGood = isSuccess(attempt);
      if (isGood) adjustToSuccess(attempt.durationMs, nowMs);
      else halve(1, nowMs);
      failuresInARow = isGood ? 0 : failuresInARow + 1;
      const deadMs = failuresInARow > failuresInARowMax ? deadPauseMs : 0;
      const pauseMs = Math.max(deadMs, Math.min(retryAfterMs, pauseMsMax));
      if (nowMs + pauseMs > pausedUntilMs) {
        pausedAtMs = nowMs;
        pausedUntilMs = nowMs + pauseMs;
      }
      // A success ends the pause, unless it began before the receiver asked for one.
      if (isGood && nowMs - attempt.durationMs > pausedAtMs) pausedUntilMs = nowMs;
    },
  };
};
