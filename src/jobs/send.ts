/**
 * One attempt: a POST to where a webhook points. Its host is looked up here, the addresses that it leads to are checked, and
 * the connection goes to one that was checked: a name that leads elsewhere at the next look-up gains nothing. The name still
 * stands in the Host header and in the TLS handshake, so that the certificate has to be for it. No redirect is followed.
 */
import { lookup as lookUpName } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../base/public-address.ts';
import {
  type Attempt,
  type AttemptFailure,
  attemptTimeoutMs,
  excerptLengthMax,
  isBusy,
  isSuccess,
  type Outcome,
} from '../domain/delivery.ts';
import { hostOf, refusalOfUrl } from '../domain/webhook.ts';

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Resolves to what came of the attempt, whatever it was; rejects only when `signal` has ended it before there was an answer. */
export type Send = (request: OutgoingRequest, signal: AbortSignal) => Promise<Outcome>;

export interface SendOptions {
  /** Whether any address will do: for local work. */
  readonly allowPrivate: boolean;
  readonly isPublic?: (address: string) => boolean;
  /** The addresses of a name, in the order in which they are to be tried; rejects or resolves to none when there are none. */
  readonly lookUp?: (host: string) => Promise<readonly string[]>;
  /** From the look-up to the end of the answer. */
  readonly timeoutMs?: number;
  /** The authorities to trust instead of the system's, in PEM. */
  readonly ca?: string;
}

/** How much of an answer's body is read, and for how long. One that is read to its end leaves the connection for the next. */
export const answerBytesMax = 16 * 1024;
export const answerMsMax = 1000;

export const createSend = ({
  allowPrivate,
  isPublic = isPublicAddress,
  lookUp = lookUpAll,
  timeoutMs = attemptTimeoutMs,
  ca,
}: SendOptions): Send => {
  const post = async ({ url, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<Response> => {
    if (refusalOfUrl(url, { allowPrivate }) !== undefined) throw new NoAnswer('not_public');
    const target = new URL(url);
    const host = hostOf(target.hostname);
    const found = isIP(host) === 0 ? await orEnd(signal, resolve(lookUp, host)) : [host];
    const addresses = allowPrivate ? found : found.filter(isPublic);
    if (addresses.length === 0) throw new NoAnswer('not_public');
    return tryEach(addresses, (address) =>
      fetch(`${target.protocol}//${authority(address, target.port)}${target.pathname}${target.search}`, {
        method: 'POST',
        headers: { ...headers, host: target.host },
        body,
        redirect: 'manual',
        decompress: false,
        ...direct,
        signal,
        ...(target.protocol === 'https:' && {
          tls: { serverName: host, rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
        }),
      }),
    );
  };

  return async (request, ended) => {
    const at = new Date().toISOString();
    const startedAtMs = performance.now();
    const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]);
    const after = (result: Omit<Attempt, 'at' | 'durationMs'>): Attempt => ({
      at,
      durationMs: Math.round(performance.now() - startedAtMs),
      ...result,
    });
    try {
      const response = await post(request, signal);
      const { status } = response;
      const text = await readBeginning(response);
      const attempt = after({ status });
      if (isSuccess(attempt)) return { attempt };
      const retryAfterMs = readRetryAfter(response);
      return {
        attempt: { ...attempt, ...(text !== '' && { excerpt: text }) },
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      };
    } catch (error) {
      ended.throwIfAborted();
      return { attempt: after({ failure: failureOf(error) }) };
    }
  };
};

/** A proxy that the environment names would connect in our place. Bun takes `false` for none, which its types do not know. */
const direct: object = { proxy: false };

/** Why there is no answer, where no error of the network says so. */
class NoAnswer extends Error {
  readonly failure: AttemptFailure;

  constructor(failure: AttemptFailure) {
    super(failure);
    this.failure = failure;
  }
}

const lookUpAll = async (host: string): Promise<string[]> =>
  (await lookUpName(host, { all: true })).map(({ address }) => address);

const resolve = async (
  lookUp: (host: string) => Promise<readonly string[]>,
  host: string,
): Promise<readonly string[]> => {
  const addresses = await lookUp(host).catch(() => []);
  if (addresses.length === 0) throw new NoAnswer('unresolved');
  return addresses;
};

/** A look-up cannot be ended; it is left alone. */
const orEnd = <Result>(signal: AbortSignal, promise: Promise<Result>): Promise<Result> => {
  const ended = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, ended]);
};

const authority = (address: string, port: string): string =>
  `${isIP(address) === 6 ? `[${address}]` : address}${port === '' ? '' : `:${port}`}`;

/** Goes on to the next address when there is no connection to one: a host may have one that cannot be reached from here. */
const tryEach = async (
  addresses: readonly string[],
  post: (address: string) => Promise<Response>,
): Promise<Response> => {
  const [address = '', ...rest] = addresses;
  try {
    return await post(address);
  } catch (error) {
    if (rest.length > 0 && noConnection.has(codeOf(error))) return tryEach(rest, post);
    throw error;
  }
};

const noConnection = new Set([
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
]);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const failureOf = (error: unknown): AttemptFailure => {
  if (error instanceof NoAnswer) return error.failure;
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  return /CERT|TLS|SSL|SIGNED|SIGNATURE|ISSUER/.test(codeOf(error)) ? 'tls' : 'connection';
};

/** How the body begins, as text. What goes wrong here is no matter: there is an answer. */
const readBeginning = async ({ body }: Response): Promise<string> => {
  if (!body) return '';
  const reader = body.getReader();
  const late = Promise.withResolvers<{ done: true; value?: never }>();
  const timer = setTimeout(() => late.resolve({ done: true }), answerMsMax);
  const chunks: Uint8Array[] = [];
  let lengthBytes = 0;
  try {
    while (lengthBytes <= answerBytesMax) {
      const { done, value } = await Promise.race([reader.read(), late.promise]);
      if (done) break;
      chunks.push(value);
      lengthBytes += value.length;
    }
    await reader.cancel();
  } catch {
  } finally {
    clearTimeout(timer);
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, answerBytesMax), { stream: true });
  return [...text.slice(0, 2 * excerptLengthMax)].slice(0, excerptLengthMax).join('');
};

/** Of the statuses that ask to come back later (RFC 9110 §10.2.3, RFC 6585 §4): seconds, or a date. */
const readRetryAfter = ({ status, headers }: Response): number | undefined => {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || !isBusy(status)) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
};
