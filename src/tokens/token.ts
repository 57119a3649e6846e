/**
 * A token is `plant_`, 30 random base62 characters, and their CRC-32 in 6 base62 characters. Secret scanners recognize the prefix
 * of a leaked token. The checksum rejects a mistyped token without a look-up. 178 random bits cannot be guessed from a
 * dictionary, so a plain SHA-256 is sufficient for storage.
 */
import { hash } from 'node:crypto';
import { base62, randomBase62 } from '../base/base62.ts';
import { crc32 } from '../base/crc32.ts';
import { isOneOf } from '../base/text.ts';

export const scopes = ['plants:read', 'plants:write', 'webhooks:read', 'webhooks:write', 'metrics:read'] as const;
export type Scope = (typeof scopes)[number];

/** @limit Tokens | Code points in the name of a token | exit code 2 */
export const tokenNameLengthMax = 100;

/** A token as it is stored. Times are RFC 3339, UTC. */
export interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  /** Omitted if it never expires. */
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  /** The beginning of the hour of the last request with it. Omitted if there was none. */
  readonly lastUsedAt?: string;
}

export interface NewToken extends Pick<TokenRecord, 'name' | 'scopes' | 'expiresAt'> {
  /** SHA-256 of the whole token, in lower-case hexadecimal. */
  readonly digest: string;
}

export const isScope = isOneOf(scopes);

/** The text of a new token. It is shown once and never stored. */
export const generateToken = (): string => {
  const random = randomBase62(randomLength);
  return prefix + random + checksum(random);
};

/** The public id of a token, not a secret. */
export const generateTokenId = (): string => `tok_${randomBase62(10)}`;

/** Checks only the form and the checksum: the token may never have been issued. */
export const isTokenWellFormed = (text: string): boolean => {
  const random = form.exec(text)?.[1];
  return random !== undefined && text.endsWith(checksum(random));
};

/** SHA-256 in lower-case hexadecimal: the form in which a token is stored. */
export const digestToken = (text: string): string => hash('sha256', text, 'hex');

/** Whether the token is neither revoked nor expired at `now`. */
export const isTokenInForce = (token: TokenRecord, now: Date): boolean =>
  token.revokedAt === undefined && (token.expiresAt === undefined || now.getTime() < Date.parse(token.expiresAt));

const prefix = 'plant_';
const randomLength = 30;
const checksumLength = 6;
const form = /^plant_([0-9A-Za-z]{30})[0-9A-Za-z]{6}$/;

const checksum = (random: string): string => {
  let rest = crc32(random);
  let text = '';
  for (let digit = 0; digit < checksumLength; digit += 1) {
    text = base62.charAt(rest % base62.length) + text;
    rest = Math.floor(rest / base62.length);
  }
  return text;
};
