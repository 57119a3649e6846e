import type { TokenRecord } from '../domain/token.ts';
import { jsonResponse } from './response.ts';

/** Answers with the caller's own token, as far as it may be shown. */
export const getToken = ({ token: { name, scopes, expiresAt } }: { token: TokenRecord }): Response =>
  jsonResponse({ name, scopes, expiresAt });
