import { eq, getTableColumns, sql } from 'drizzle-orm';
import { tokens } from '../../../db/sqlite.ts';
import { isScope, mintTokenId, type TokenRecord } from '../../domain/token.ts';
import type { TokenStore } from '../store.ts';
import { placeholdersOf } from './columns.ts';
import type { Connection } from './connection.ts';

export const createTokenStore = ({ db, read, commit, onForeignCommit }: Connection): TokenStore => {
  const insert = db
    .insert(tokens)
    .values(placeholdersOf(getTableColumns(tokens)))
    .returning()
    .prepare();
  const byDigest = db
    .select()
    .from(tokens)
    .where(eq(tokens.digest, sql.placeholder('digest')))
    .prepare();
  const all = db.select().from(tokens).orderBy(sql`rowid`).prepare();
  const setRevoked = db
    .update(tokens)
    .set({ revokedAt: sql`coalesce(${tokens.revokedAt}, ${sql.placeholder('now')})` })
    .where(eq(tokens.id, sql.placeholder('id')))
    .returning({ id: tokens.id })
    .prepare();

  /** Tokens that were found, by digest. */
  const found = new Map<string, TokenRecord>();
  onForeignCommit(() => found.clear());

  return {
    create: ({ name, scopes, expiresAt, digest }) =>
      commit(() => {
        const createdAt = new Date().toISOString();
        return toRecord(
          insert.get({
            id: mintTokenId(),
            name,
            digest,
            scopes: scopes.join(' '),
            createdAt,
            expiresAt: expiresAt ?? null,
            revokedAt: null,
          }),
        );
      }),
    findByDigest: (digest) =>
      read(() => {
        const known = found.get(digest);
        if (known) return known;
        const row = byDigest.get({ digest });
        const token = row && toRecord(row);
        if (found.size === foundMax) found.clear();
        if (token) found.set(digest, token);
        return token;
      }),
    list: () => read(() => all.all().map(toRecord)),
    revoke: (id) =>
      commit(() => {
        found.clear();
        return setRevoked.get({ id, now: new Date().toISOString() }) !== undefined;
      }),
  };
};

/** How many tokens are remembered. */
const foundMax = 1000;

const toRecord = ({ id, name, scopes, createdAt, expiresAt, revokedAt }: typeof tokens.$inferSelect): TokenRecord => ({
  id,
  name,
  scopes: scopes.split(' ').filter(isScope),
  createdAt,
  ...(expiresAt !== null && { expiresAt }),
  ...(revokedAt !== null && { revokedAt }),
});
