import type { TokenRecord } from '../domain/token.ts';

/** Answers with the caller's own token, as far as it may be shown. */
export const getToken = ({ token: { name, scopes, expiresAt } }: { token: TokenRecord }): Response =>
  new Response(JSON.stringify({ name, scopes, expiresAt }), { headers: { 'content-type': 'application/json' } });
