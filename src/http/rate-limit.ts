/**
 * The rate limits of this process: a token bucket for the requests of each token, and one for the failed authentications of each
 * client address. An address never limits a request with a valid token, since all clients of a proxy may share one.
 *
 * Responses to failed authentications do not show the remaining attempts of their address: that would reveal the activity of
 * other clients at the same address.
 */
import { createClientAddress } from '../base/client-address.ts';
import type { Clock } from '../base/time.ts';
import { type Bucket, createRecent, type Rate, takeFrom } from '../base/token-bucket.ts';
import { AppError, type ErrorCode, type Failure, tooManyFailures, tooManyRequests } from '../domain/error.ts';
import type { Metrics } from '../metrics.ts';
import { contextOf, type RateLimitFields } from './telemetry.ts';

/**
 * The buckets of at least this many tokens are kept, and those of as many addresses. Beyond that, the least recently used one is full again.
 *
 * @limit Requests | Tokens with a bucket for `RATE_LIMIT`, and addresses with one | The least recently used one starts with a full bucket again.
 */
export const bucketsMax = 100_000;

/** The address of the peer that sent the request, which may be a proxy. Absent if it is not known. */
export type PeerOf = (request: Request) => string | undefined;

interface RateLimitOptions {
  readonly rate: Rate;
  readonly trustedProxies: readonly string[];
  readonly peerOf: PeerOf;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

export const createRateLimits = ({
  rate,
  trustedProxies,
  peerOf,
  clock,
  metrics: { rateLimited },
}: RateLimitOptions) => {
  const clientAddress = createClientAddress(trustedProxies);
  const takeForToken = createLimit('token', rate, clock, rateLimited);
  const takeForAddress = createLimit('address', rate, clock, rateLimited);

  /** Counts a request with a valid token. Throws AppError `rate_limited` if the token has no remaining requests. */
  const countRequest = (request: Request, tokenId: string): void => {
    const { isTaken, fields, seconds } = takeForToken(tokenId);
    recordFields(request, fields);
    if (!isTaken) throw toError(tooManyRequests, seconds);
  };

  /** Counts a failed authentication. Returns the error to respond with if its address is over the limit. Absent otherwise, and for other errors. */
  const countFailure = (request: Request, error: unknown): AppError | undefined => {
    if (!(error instanceof AppError && failedAuthentication.has(error.code))) return undefined;
    const { isTaken, fields, seconds } = takeForAddress(
      clientAddress(peerOf(request), request.headers.get('x-forwarded-for')),
    );
    if (isTaken) return undefined;
    recordFields(request, fields);
    return toError(tooManyFailures, seconds);
  };

  return { countRequest, countFailure };
};

const failedAuthentication: ReadonlySet<ErrorCode> = new Set(['token_missing', 'token_invalid']);

const toError = (failure: Failure, retryAfterSeconds: number): AppError => new AppError(failure, { retryAfterSeconds });

const recordFields = (request: Request, fields: RateLimitFields): void => {
  const context = contextOf(request);
  if (context) context.rateLimit = fields;
};

const createLimit = (policy: 'token' | 'address', rate: Rate, clock: Clock, rateLimited: Metrics['rateLimited']) => {
  const buckets = createRecent<Bucket>({ keptMs: rate.windowMs, keptMax: bucketsMax });
  const quota = `"${policy}";q=${rate.count};w=${rate.windowMs / 1000}`;

  return (key: string) => {
    const nowMs = Math.floor(clock.nowMs());
    const { isTaken, left, refillMs, bucket } = takeFrom(buckets.get(key), rate, nowMs);
    buckets.set(key, bucket, nowMs);
    if (!isTaken) rateLimited.add(1, { policy });
    // Whole seconds. `Retry-After` must not end before `t` (§6), and a client that sends `r` requests in `t` stays within the rate (§8.5).
    const seconds = Math.ceil(refillMs / 1000);
    return { isTaken, seconds, fields: { quota, available: `"${policy}";r=${left};t=${seconds}` } };
  };
};
