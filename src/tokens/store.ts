import type { NewToken, TokenRecord } from './token.ts';

export interface TokenStore {
  create(token: NewToken): Promise<TokenRecord>;
  /** Finds a token by its digest, also if it is expired or revoked. Resolves to `undefined` if it was never issued. */
  findByDigest(digest: string): Promise<TokenRecord | undefined>;
  /** Lists all tokens, oldest first, revoked and expired ones too. */
  list(): Promise<TokenRecord[]>;
  /** Revokes a token; a second call changes nothing. Resolves to `false` if the token does not exist. */
  revoke(id: string): Promise<boolean>;
  /** Sets `lastUsedAt` of these tokens to the hour, unless it is later. Others are ignored. */
  recordUses(ids: readonly string[], hour: string): Promise<void>;
}
