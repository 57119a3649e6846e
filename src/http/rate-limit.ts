/**
 * The rate limits of this process: a token bucket for the requests of each token, and one for the failed authentications of each
 * client address. An address never limits a request with a valid token, since all clients of a proxy may share one.
 *
 * Responses to failed authentications do not show the remaining attempts of their address: that would reveal the activity of
 * other clients at the same address.
 */

import { AppError, type ErrorCode, type Failure, tooManyFailures, tooManyRequests } from '../base/app-error.ts';
import { toNetwork } from '../base/network.ts';
import type { Clock } from '../base/time.ts';
import { type Bucket, createRecent, type Rate, takeFrom } from '../base/token-bucket.ts';
import { type ClientOf, contextOf, type RequestContext } from './telemetry.ts';

/** @limit Requests | Tokens, or addresses, that `RATE_LIMIT` counts | the least recent one gets a full bucket */
export const bucketsMax = 100_000;

interface RateLimitOptions {
  readonly rate: Rate;
  readonly clientOf: ClientOf;
  readonly clock: Clock;
  readonly metrics: { readonly rateLimited: { add(count: number, labels: { policy: 'token' | 'address' }): void } };
}

export type RateLimits = ReturnType<typeof createRateLimits>;

export const createRateLimits = ({ rate, clientOf, clock, metrics }: RateLimitOptions) => {
  const createLimit = (policy: 'token' | 'address', failure: Failure) => {
    const buckets = createRecent<Bucket>({ keptMs: rate.windowMs, keptMax: bucketsMax });
    const quota = `"${policy}";q=${rate.count};w=${rate.windowMs / 1000}`;

    /** Takes one from the bucket. Returns the header fields, and the error to respond with if the bucket was empty. */
    return (key: string) => {
      const nowMs = Math.floor(clock.nowMs());
      const { isTaken, left, refillMs, bucket } = takeFrom(buckets.get(key), rate, nowMs);
      buckets.set(key, bucket, nowMs);
      // Whole seconds. `Retry-After` must not end before `t` (§6), and a client that sends `r` requests in `t` stays within the rate (§8.5).
      const seconds = Math.ceil(refillMs / 1000);
      const fields = { 'ratelimit-policy': quota, ratelimit: `"${policy}";r=${left};t=${seconds}` };
      if (isTaken) return { fields, error: undefined };
      metrics.rateLimited.add(1, { policy });
      return { fields, error: new AppError(failure, { retryAfterSeconds: seconds }) };
    };
  };
  const takeForToken = createLimit('token', tooManyRequests);
  const takeForAddress = createLimit('address', tooManyFailures);

  return {
    /** Counts a request with a valid token. Throws AppError `rate_limited` if the token has no remaining requests. */
    countRequest: (request: Request, tokenId: string): void => {
      const { fields, error } = takeForToken(tokenId);
      recordRateLimit(request, fields);
      if (error) throw error;
    },
    /** Counts a failed authentication, and ignores other errors. Returns the error to respond with if the address is over the limit. */
    countFailure: (request: Request, cause: unknown): AppError | undefined => {
      if (!(cause instanceof AppError && failedAuthentication.has(cause.code))) return undefined;
      const { fields, error } = takeForAddress(toNetwork(clientOf(request) ?? 'unknown'));
      if (error) recordRateLimit(request, fields);
      return error;
    },
  };
};

const failedAuthentication: ReadonlySet<ErrorCode> = new Set(['token_missing', 'token_invalid']);

const recordRateLimit = (request: Request, fields: RequestContext['rateLimit']): void => {
  const context = contextOf(request);
  if (context && fields) context.rateLimit = fields;
};
