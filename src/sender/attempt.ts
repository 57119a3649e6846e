/**
 * One attempt: the POST of a message to the URL of a webhook. Its host is resolved and the addresses are checked here.
 * The connection uses a checked address, so DNS rebinding has no effect. The Host header and the TLS handshake still contain the
 * name, so the certificate must be valid for it. Redirects are not followed.
 */
import { runtime } from '#runtime';
import type { LookUp } from '../base/dns.ts';
import { codeOf } from '../base/error.ts';
import { parseHttpDate } from '../base/http-date.ts';
import { isPublicAddress } from '../base/network.ts';
import {
  type Attempt,
  type AttemptFailure,
  asksToWait,
  attemptTimeoutMs,
  type CertificateFault,
  excerptLengthMax,
  isRedirect,
  isSuccess,
  type Outcome,
} from '../deliveries/delivery.ts';
import type { PostRequest, PostResponse } from '../runtime/runtime.ts';
import type { Targets } from '../webhooks/webhook.ts';
import { createTryAddresses } from './addresses.ts';
import { createLookUp } from './look-up.ts';
import type { SignedRequest } from './message.ts';
import { createTargets } from './target.ts';
import { createTimeLimit, type LimitedAttempt } from './time-limit.ts';

/** Resolves to the outcome, with or without a response. Rejects only if `stopped` is aborted before the response. */
export type PostMessage = (message: SignedRequest, stopped: AbortSignal) => Promise<Outcome>;

export interface PostOptions extends Targets, Partial<Pick<PostRequest, 'ca'>> {
  readonly isPublic?: (address: string) => boolean;
  readonly lookUp?: LookUp;
  /** The time limit from the look-up to the end of the response. */
  readonly timeoutMs?: number;
}

/**
 * How much of the body of a response is read, and for how long. After a complete body the connection can be reused.
 *
 * @limit Webhooks | Size of a response that is read | the rest is not read
 */
export const responseBytesMax = 16 * 1024;
/** @limit Webhooks | Time in which a response is read | the rest is not read */
export const responseMsMax = 1000;

export const createPost = ({
  allowPrivate,
  inbox,
  isPublic = isPublicAddress,
  lookUp = runtime.lookUp,
  timeoutMs = attemptTimeoutMs,
  ca,
}: PostOptions): PostMessage => {
  const begin = createTimeLimit(timeoutMs);
  const targetOf = createTargets({ allowPrivate, inbox });
  const addressesOf = createLookUp(lookUp, { isLocal: allowPrivate });
  const tryAddresses = createTryAddresses();

  /** Resolves to the response, or to the reason why there is no address to connect to. */
  const send = async (
    message: SignedRequest,
    { signal, keep }: LimitedAttempt,
    stopped: AbortSignal,
  ): Promise<PostResponse | AttemptFailure> => {
    const target = targetOf(message.url);
    if (target === undefined) return 'not_public';
    const { url, port, serverName, isAddress, isOwn } = target;
    const found = isAddress ? [serverName] : await addressesOf(serverName, stopped);
    if (found.length === 0) return 'unresolved';
    const addresses = allowPrivate || isOwn ? found : found.filter(isPublic);
    if (addresses.length === 0) return 'not_public';
    // The attempt may have ended during the look-up, which others share.
    signal.throwIfAborted();
    const { headers, body } = message;
    const make = (address: string): Promise<PostResponse> =>
      runtime.post({ url, headers, body, address, serverName, signal, ca });
    return tryAddresses({ key: url.host, addresses, port }, { make, abandon: keep });
  };

  return async (message, stopped) => {
    const at = new Date().toISOString();
    const startedAtMs = performance.now();
    const limit = begin(stopped);
    const ended = (result: Omit<Attempt, 'at' | 'durationMs'>): Attempt => ({
      at,
      durationMs: Math.round(performance.now() - startedAtMs),
      ...result,
    });
    try {
      const response = await limit.until(send(message, limit, stopped));
      if (typeof response === 'string') return { attempt: ended({ failure: response }) };
      const { status } = response;
      // Not a final response (RFC 9110 §15), such as a switch to another protocol.
      if (status < 200) {
        response.close();
        throw new Error(`The status ${status} is not one of a response.`);
      }
      const beginning = await response.readBeginning({ bytesMax: responseBytesMax, timeoutMs: responseMsMax });
      const excerpt = isSuccess({ status }) ? '' : toExcerpt(beginning);
      const location = readLocation(response, message.url);
      const attempt = ended({
        status,
        ...(excerpt !== '' && { excerpt }),
        ...(location !== undefined && { location }),
      });
      return { attempt, retryAfterMs: readRetryAfterMs(response) };
    } catch (error) {
      stopped.throwIfAborted();
      return { attempt: ended(failureOf(error)) };
    } finally {
      limit.end();
    }
  };
};

const failureOf = (error: unknown): Pick<Attempt, 'failure' | 'certificate'> => {
  if (error instanceof Error && error.name === 'TimeoutError') return { failure: 'timeout' };
  const code = codeOf(error) ?? '';
  if (!tlsCodes.test(code)) return { failure: 'connection' };
  const certificate = certificateCodes[code];
  return { failure: 'tls', ...(certificate && { certificate }) };
};

/** Those of OpenSSL for certificates, which are UNSPECIFIED if they have no name, and those of a failed handshake. */
const tlsCodes =
  /CERT|TLS|SSL|EPROTO|SIGNED|SIGNATURE|ISSUER|HOSTNAME|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|UNSPECIFIED/;

/** Those of OpenSSL (https://docs.openssl.org/3.5/man1/openssl-verification-options/), and that of Node.js for the name, which Bun has too. */
const certificateCodes: Readonly<Record<string, CertificateFault>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_authority',
};

const toExcerpt = (chunks: readonly Uint8Array[]): string => {
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, responseBytesMax), { stream: true });
  return cut(text);
};

/** At most `excerptLengthMax` code points. */
const cut = (text: string): string => [...text.slice(0, 2 * excerptLengthMax)].slice(0, excerptLengthMax).join('');

/** Where a redirect leads (RFC 9110 §10.2.2). Undefined for another response, and for what is no URL. */
const readLocation = ({ status, headers }: PostResponse, url: string): string | undefined => {
  const location = isRedirect(status) ? headers.get('location') : null;
  const target = location === null ? null : URL.parse(location, url);
  return target === null ? undefined : cut(target.href);
};

/** The time to wait from `Retry-After`, which has seconds or a date (RFC 9110 §10.2.3). Undefined if the receiver does not ask to wait. */
const readRetryAfterMs = ({ status, headers }: PostResponse): number | undefined => {
  if (!asksToWait(status)) return undefined;
  const value = headers.get('retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const nowMs = Date.now();
  const dateMs = parseHttpDate(value, nowMs);
  return dateMs === undefined ? undefined : Math.max(0, dateMs - nowMs);
};
