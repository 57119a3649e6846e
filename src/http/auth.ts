/**
 * Authentication and scopes. The Authorization header is checked before `@elysiajs/bearer` reads it, because the plugin
 * accepts `BearerX`, ignores `bearer`, and reads the query.
 *
 * The look-up is by SHA-256, so its duration reveals nothing useful: an attacker cannot choose the first characters of a digest. A
 * comparison in constant time is not needed.
 */
import { AppError, notBearer, scopeMissing, tokenInvalid, tokenMissing } from '../base/app-error.ts';
import type { TokenStore } from '../tokens/store.ts';
import { digestToken, isTokenInForce, isTokenWellFormed, type Scope, type TokenRecord } from '../tokens/token.ts';
import type { RateLimits } from './rate-limit.ts';
import { recordToken } from './telemetry.ts';

/**
 * Throws AppError `token_missing` or `token_invalid` unless there is one Authorization header, of the scheme Bearer in any
 * case, spaces, and text of the form of a token (RFC 6750 §2.1, RFC 9110 §11.4). Writes the header with `Bearer` and one space.
 */
export const guardAuthorization: (context: { headers: Record<string, string | undefined> }) => void = ({ headers }) => {
  const { authorization } = headers;
  if (!authorization) throw new AppError(tokenMissing);
  // Two headers arrive as one, joined by a comma, which no token has.
  const token = /^bearer +([0-9A-Za-z._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined) throw new AppError(notBearer);
  headers['authorization'] = `Bearer ${token}`;
};

/**
 * Looks the token up for each request, so that a revocation by any process takes effect at the next request. Rejects
 * with AppError `token_invalid` unless the token is in force, and with `rate_limited` when it has started too many requests.
 */
export const authenticate =
  (tokens: TokenStore, onUse: (tokenId: string) => void, limits?: RateLimits) =>
  async ({ bearer, request }: { bearer: string | undefined; request: Request }): Promise<Caller> => {
    if (bearer === undefined || !isTokenWellFormed(bearer)) throw new AppError(tokenInvalid);
    const digest = digestToken(bearer);
    const found = await tokens.findByDigest(digest);
    // Before it is refused, so that the log shows who still uses a revoked token.
    if (found) recordToken(request, found.id);
    const token = expectInForce(found);
    onUse(token.id);
    limits?.countRequest(request, token.id);
    return { token, digest };
  };

/** Not an interface, since Elysia does not accept one as a part of its context. */
export type Caller = {
  readonly token: TokenRecord;
  /** SHA-256 of the text of the token. */
  readonly digest: string;
};

/** Throws AppError `token_invalid` unless the token was issued and is in force. */
export const expectInForce = (token: TokenRecord | undefined): TokenRecord => {
  if (!token || !isTokenInForce(token, new Date())) throw new AppError(tokenInvalid);
  return token;
};

/** Throws AppError `scope_missing` unless the token has the scope. */
export const requireScope =
  (scope: Scope) =>
  ({ token }: { token: TokenRecord }): void => {
    if (!token.scopes.includes(scope)) throw new AppError(scopeMissing(scope), { scope });
  };
