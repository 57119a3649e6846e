/** Signatures of webhooks by Standard Webhooks 1.0.0 (https://github.com/standard-webhooks/standard-webhooks). */
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { memoize } from './memoize.ts';

export interface SignedMessage {
  /** The header `webhook-id`. */
  readonly id: string;
  /** The header `webhook-timestamp`: seconds since the Unix epoch, by the wall clock. */
  readonly timestamp: number;
  /** The body as it is sent. Text is sent in UTF-8. */
  readonly body: string | Uint8Array;
}

export const generateSecret = (): string => prefix + randomBytes(24).toString('base64');

/** `whsec_` and 24 to 64 bytes in base64 (RFC 4648 §4), in canonical form, so that each key has one text. */
export const secretForm =
  /^whsec_(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{4}(?:[A-Za-z0-9+/][AQgw]==)?|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$/;

/** The form of a secret, as the end of a message, after "must be". */
export const secretWords = 'whsec_ and 24 to 64 bytes in base64';

export const isSecret = (text: string): boolean => secretForm.test(text);

/** The header `webhook-signature`: a signature with each secret, separated by spaces. */
export const sign = (secrets: readonly string[], message: SignedMessage): string =>
  secrets.map((secret) => signOnce(secret, message)).join(' ');

/** Whether the header `webhook-signature` has the signature of the message with this secret. */
export const isSignedWith = (secret: string, signatures: string, message: SignedMessage): boolean => {
  const expected = Buffer.from(signOnce(secret, message));
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
};

/** The maximum difference of `webhook-timestamp` from the receiver's clock. An older message may be a replay. */
export const toleranceSeconds = 300;

const signOnce = (secret: string, { id, timestamp, body }: SignedMessage): string => {
  const head = `${id}.${timestamp}.`;
  // All at once: another update would cost as much as the hash.
  const content = typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body]);
  return `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`;
};

/** The secrets whose keys are kept. The webhooks of a store have fewer. */
const keysMax = 512;

/** A key that is made for each message would cost a third of its signature. */
const keyOf = memoize(keysMax, (secret) => createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64')));

const prefix = 'whsec_';
