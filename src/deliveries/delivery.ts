/**
 * A delivery of one event to one webhook. It is attempted until the receiver responds with 2xx or a round of attempts has
 * failed, on the schedule that Standard Webhooks recommends. A request for the delivery begins a new round.
 */
import { AppError, tooManyTests } from '../base/app-error.ts';
import type { Sequenced } from '../events/event.ts';
import { jitterMax, retryDelaysSeconds } from '../webhooks/retries.ts';

export interface Delivery {
  readonly webhookId: string;
  readonly event: Sequenced;
  /** The latest attempts of all rounds, oldest first: at most `attemptsKeptMax`. */
  readonly attempts: readonly Attempt[];
  /** How many attempts were made since the delivery was created or last requested. */
  readonly attemptsInRound: number;
  /** When it is due, RFC 3339, UTC. Omitted once it is settled. */
  readonly nextAttemptAt?: string;
  /** When a redelivery or a test was requested, RFC 3339, UTC. Omitted once it was attempted. */
  readonly requestedAt?: string;
}

export interface Attempt {
  /** Start time, RFC 3339, UTC. */
  readonly at: string;
  /** Until the response was read or the attempt failed. */
  readonly durationMs: number;
  /** The status of the response, if there was one. */
  readonly status?: number;
  readonly failure?: AttemptFailure;
  /** With the failure `tls`, if the runtime tells. */
  readonly certificate?: CertificateFault;
  /** The beginning of the body of a response that is not 2xx: at most `excerptLengthMax` code points. */
  readonly excerpt?: string;
  /** The absolute URL of a redirect that was not followed: at most `excerptLengthMax` code points. */
  readonly location?: string;
}

/** Why there was no response. */
export const attemptFailures = {
  timeout: 'No response arrived in time.',
  unresolved: 'The host name does not resolve to an address.',
  not_public: 'The URL is not https, or its host resolves to an address that is not public; no connection was made.',
  tls: 'The TLS handshake failed, or the certificate is invalid.',
  connection: 'The connection failed or was closed before a response arrived.',
} as const;
export type AttemptFailure = keyof typeof attemptFailures;

/** What is wrong with the certificate of a receiver. */
export const certificateFaults = {
  other_name: 'It is not for the host of the URL.',
  expired: 'It has expired.',
  not_yet_valid: 'It is not valid yet.',
  self_signed: 'It is self-signed.',
  unknown_authority: 'Its authority is unknown, or the receiver does not send the intermediate one.',
} as const;
export type CertificateFault = keyof typeof certificateFaults;

/** @limit Webhooks | Pending tests of a webhook | 409 */
export const testMessagesPendingMax = 100;

/** @limit Webhooks | Code points stored of a failed response | the rest is not stored */
export const excerptLengthMax = 200;
/** @limit Webhooks | Attempts that a delivery lists | only the latest are listed */
export const attemptsKeptMax = 20;

/** A delivery without an attempt. */
export const newDelivery = (webhookId: string, event: Sequenced): Delivery => ({
  webhookId,
  event,
  attempts: [],
  attemptsInRound: 0,
});

/** Throws AppError `too_many_tests` if the number of `pending` tests of the webhook has reached the maximum. */
export const expectRoomForTestMessage = (pending: number): void => {
  if (pending >= testMessagesPendingMax) throw new AppError(tooManyTests(testMessagesPendingMax));
};

/** Requests the delivery: it begins a new round and is due before all others. Each request has a different time. */
export const request = (delivery: Delivery, now: Date): Delivery => {
  const earlierMs = delivery.requestedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(delivery.requestedAt);
  const requestedAt = new Date(Math.max(now.getTime(), earlierMs + 1)).toISOString();
  return { ...delivery, attemptsInRound: 0, nextAttemptAt: requestedAt, requestedAt };
};

export interface DeliveryChange {
  readonly before: Delivery;
  readonly after: Delivery;
}

/**
 * The delivery to store after an attempt: it keeps a request that arrived during the attempt. Undefined if it was pruned meanwhile:
 * if its event is before the oldest one in the log, or if the test message no longer exists.
 */
export const reconcile = (
  existing: { readonly requestedAt?: string | null } | undefined,
  { before, after }: DeliveryChange,
  oldest: bigint,
): Delivery | undefined => {
  const { event } = after;
  if (event.type === 'webhook.test' ? !existing : event.sequence < oldest) return undefined;
  const requestedAt = existing?.requestedAt ?? undefined;
  return requestedAt === undefined || requestedAt === before.requestedAt
    ? after
    : { ...after, attemptsInRound: 0, nextAttemptAt: requestedAt, requestedAt };
};

export const isSuccess = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** A response that leads to another URL (RFC 9110 §15.4). */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** The receiver wants no more messages: 410 Gone. */
export const isGone = ({ status }: Attempt): boolean => status === goneStatus;

/** The receiver asks for a later attempt, with an optional `Retry-After`: 429 Too Many Requests, 503 Service Unavailable. */
export const asksToWait = (status: number): boolean => statusesToWait.includes(status);

/** @limit Webhooks | Duration of an attempt, with DNS | the attempt fails */
export const attemptTimeoutMs = 15_000;

/** A longer `Retry-After` pauses only its delivery, not the others to the same webhook. */
export const pauseMsMax = 15 * 60 * 1000;

/** @limit Webhooks | `Retry-After` of a receiver | it counts as 24 hours */
export const retryAfterMsMax = 24 * 60 * 60 * 1000;

/** No retry is scheduled later than this. A later time was written by a wrong clock. */
export const delayMsMax = 2 * retryAfterMsMax;

export interface Outcome {
  readonly attempt: Attempt;
  readonly retryAfterMs?: number | undefined;
}

/** The delivery after an attempt. `random` is from 0 to 1. */
export const afterAttempt = (
  delivery: Delivery,
  { attempt, retryAfterMs = 0 }: Outcome,
  { nowMs, random }: { nowMs: number; random: number },
): Delivery => {
  const { nextAttemptAt: _next, requestedAt: _requested, ...rest } = delivery;
  const attemptsInRound = delivery.attemptsInRound + 1;
  const settled = { ...rest, attemptsInRound, attempts: [...delivery.attempts, attempt].slice(-attemptsKeptMax) };
  const delaySeconds = retryDelaysSeconds[attemptsInRound - 1];
  if (isSuccess(attempt) || isGone(attempt) || delaySeconds === undefined) return settled;
  const delayMs = Math.max(delaySeconds * 1000 * (1 + jitterMax * random), Math.min(retryAfterMs, retryAfterMsMax));
  return { ...settled, nextAttemptAt: new Date(nowMs + delayMs).toISOString() };
};

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const stateOf = ({ attempts, nextAttemptAt }: Delivery): DeliveryState => {
  if (nextAttemptAt !== undefined) return 'pending';
  const last = attempts.at(-1);
  return last && isSuccess(last) ? 'delivered' : 'failed';
};

const goneStatus = 410;
const statusesToWait = [429, 503];
