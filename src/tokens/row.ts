import type { tokens } from '../../db/sqlite.ts';
import { generateTokenId, isScope, type NewToken, type TokenRecord } from './token.ts';

export type TokenRow = Omit<typeof tokens.$inferSelect, 'digest'>;

/** The row of a new token, with a new id. */
export const toNewTokenRow = ({ scopes, expiresAt, ...token }: NewToken, now: Date) => ({
  ...token,
  id: generateTokenId(),
  scopes: scopes.join(' '),
  createdAt: now.toISOString(),
  expiresAt: expiresAt ?? null,
});

export const toToken = ({ id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: TokenRow): TokenRecord => ({
  id,
  name,
  scopes: scopes.split(' ').filter(isScope),
  createdAt,
  ...(expiresAt !== null && { expiresAt }),
  ...(revokedAt !== null && { revokedAt }),
  ...(lastUsedAt !== null && { lastUsedAt }),
});
